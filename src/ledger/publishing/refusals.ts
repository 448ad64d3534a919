import type { Database } from '../../platform/database.ts';
import { ExpectedError } from '../../platform/expected-error.ts';

/** The publisher will not sign; the message says why, in a sentence that anyone may read. */
export class PublisherRefusal extends ExpectedError {
  override name = 'PublisherRefusal';
  /** What was asked and failed, such as the signer: it may be back soon. Undefined where the log itself is refused. */
  declare cause?: Error;
}

/**
 * What keeps the publisher from publishing. `refused`: it will not sign; `withheld`: too few witnesses have cosigned; `conflict`: a
 * witness has cosigned another tree.
 */
type RefusalKind = 'refused' | 'withheld' | 'conflict';

/**
 * Records a refusal, for the status to show. The same one again keeps its age.
 * @param now epoch milliseconds
 * @returns whether it is a new one
 */
export function recordRefusal(
  database: Database,
  kind: RefusalKind,
  reason: string,
  now: number,
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

/**
 * Records that refusals of these kinds are over.
 * @param now epoch milliseconds
 */
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

/** Returns why something keeps the publisher from publishing; undefined if it does not. */
export async function openRefusal(database: Database, kind: RefusalKind): Promise<string | undefined> {
  const row: { reason: string } | undefined = await database('publisher_refusals')
    .where({ kind })
    .whereNull('cleared_at')
    .first('reason');
  return row?.reason;
}
