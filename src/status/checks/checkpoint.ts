import { ageCheck, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'checkpoint';

/** The sealed log beyond the newest signed checkpoint: what nobody outside can verify yet. */
export const checkpointCheck = ageCheck({
  name,
  title: 'Checkpoint',
  about: 'How long sealed entries have waited for a signed checkpoint that covers them.',
  thresholds: { degraded: 120, down: 900 },
  restsOn: ['database', 'workers-sealing'],
  async look(context) {
    const { rows }: { rows: { size: number; covered: number; refusals: Partial<Record<string, string>> }[] } =
      await context.database.raw(
        `select coalesce((select max(seq) + 1 from ledger_entries), 0)::int as size,
         coalesce((select max(size) from checkpoints), 0)::int as covered,
         (select coalesce(json_object_agg(kind, reason), '{}') from publisher_refusals where cleared_at is null) as refusals`,
      );
    const { size, covered, refusals } = rows[0]!;
    const { refused, conflict, withheld } = refusals;
    if (refused !== undefined)
      return { seconds: null, message: `The publisher refuses to sign: ${refused}`, atLeast: 'down' };
    if (conflict !== undefined) return { seconds: null, message: conflict, atLeast: 'down' };
    if (covered >= size)
      return { seconds: 0, value: 0, message: 'The newest checkpoint covers the whole log.' };
    const held = unchangedFor(context, name, String(covered));
    return {
      ...held,
      value: size - covered,
      message: `${counted(size - covered, 'sealed event')} beyond the newest checkpoint, for ${span(held.seconds)}.${withheld === undefined ? '' : ` ${withheld}`}`,
    };
  },
});
