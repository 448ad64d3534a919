import { ageCheck, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'checkpoint';

/** Entries beyond the newest signed checkpoint cannot be verified from outside. */
export const checkpointCheck = ageCheck({
  name,
  title: 'Checkpoint',
  about: 'How long sealed entries have waited for a signed checkpoint that covers them.',
  thresholds: { degraded: 120, down: 900 },
  runbook: {
    means: 'Sealed entries have no signed checkpoint, or the publisher refuses to sign.',
    readers: 'New picks cannot be verified yet. Boards are correct.',
    lookAt:
      "The check's message. It names missing witnesses, `CHECKPOINT_STORE`, the signer, or a log that does not extend the signed one.",
    first:
      'Restore what the message names. If a database restore lost entries, restore those too, or start a new log with `npm run cli -- new-origin`.',
  },
  dependsOn: ['database', 'workers-sealing'],
  async measure(context) {
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
      message: `${counted(size - covered, 'sealed entry', 'sealed entries')} without a checkpoint for ${span(held.seconds)}.${withheld === undefined ? '' : ` ${withheld}`}`,
    };
  },
});
