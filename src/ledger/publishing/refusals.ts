import type { Database } from '../../platform/database.ts';
import { ExpectedError } from '../../platform/expected-error.ts';

/** The publisher refuses to sign. The message is a sentence without secrets. */
export class PublisherRefusal extends ExpectedError {
  override name = 'PublisherRefusal';
  /** The failed dependency, such as the signer; a retry can succeed. Undefined if the log itself is at fault. */
  declare cause?: Error;
}

/** `refused`: the publisher does not sign. `withheld`: too few cosignatures. `conflict`: a witness cosigned a different tree. */
type RefusalKind = 'refused' | 'withheld' | 'conflict';

/** Records a refusal for the status page. Repeating an open refusal keeps its age. @returns whether the refusal is new */
export function recordRefusal(
  database: Database,
  kind: RefusalKind,
  reason: string,
  now: EpochMs,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const changed = transaction('publisher_refusals')
      .where({ kind })
      .whereNull('cleared_at')
      .whereNot({ reason });
    await changed.update({ cleared_at: new Date(now) });
    const added = await transaction('publisher_refusals')
      .insert({ kind, since: new Date(now), reason })
      .onConflict()
      .ignore()
      .returning('id');
    return added.length > 0;
  });
}

export async function clearRefusals(
  database: Database,
  kinds: readonly RefusalKind[],
  now: number,
): Promise<void> {
  await database('publisher_refusals')
    .whereNull('cleared_at')
    .whereIn('kind', kinds)
    .update({ cleared_at: new Date(now) });
}

export async function openRefusal(database: Database, kind: RefusalKind): Promise<string | undefined> {
  const row: { reason: string } | undefined = await database('publisher_refusals')
    .where({ kind })
    .whereNull('cleared_at')
    .first('reason');
  return row?.reason;
}
