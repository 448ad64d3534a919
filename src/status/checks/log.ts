import { ageCheck, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

/** Unsealed events have no timestamp, so the age counts from the first run that saw the oldest one. */
export const sealingCheck = ageCheck({
  name: 'sealing',
  title: 'Sealing',
  about: 'How long the oldest unsealed event has waited to enter the log.',
  thresholds: { degraded: 60, down: 600 },
  runbook: {
    means: 'Events are stored but not sealed into the log.',
    readers: 'New picks and results are missing from boards, receipts, and webhooks.',
    lookAt: 'The log of `sealing`, and `pg_stat_activity` for the session that locks `sealing_locks`.',
    first: 'Restart the sealing worker.',
  },
  dependsOn: ['database', 'workers-sealing'],
  async measure(context) {
    const { rows }: { rows: { oldest: number | null; waiting: number }[] } = await context.database.raw(
      `select (select min(id) from unsealed_events) as oldest,
         (select count(*) from (select from unsealed_events limit 10000) as queue)::int as waiting`,
    );
    const { oldest, waiting } = rows[0]!;
    if (oldest === null) return { seconds: 0, value: 0, message: 'All events are sealed.' };
    const held = unchangedFor(context, String(oldest));
    return {
      ...held,
      value: waiting,
      message: `${counted(waiting, 'event')} not sealed yet, the oldest for ${span(held.seconds)}.`,
    };
  },
});

/** Entries beyond the newest signed checkpoint cannot be verified from outside. */
export const checkpointCheck = ageCheck({
  name: 'checkpoint',
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
    const held = unchangedFor(context, String(covered));
    return {
      ...held,
      value: size - covered,
      message: `${counted(size - covered, 'sealed entry', 'sealed entries')} without a checkpoint for ${span(held.seconds)}.${withheld === undefined ? '' : ` ${withheld}`}`,
    };
  },
});

/** Each such event is a bug or an attack, so the first one degrades the check at once. */
export const eventsSetAsideCheck = ageCheck({
  name: 'events-set-aside',
  title: 'Events set aside',
  about: 'How long the oldest event that cannot be sealed has been set aside.',
  thresholds: { degraded: 1, down: 3600 },
  runbook: {
    means:
      'An event cannot be sealed, or a row elsewhere was not stored by the service. It was set aside so that everything else continues.',
    readers: 'A pick, closing odds, or a result is missing from the log.',
    lookAt: '`npm run cli -- events list`, which says why, and the log of `sealing`.',
    first:
      'Fix what the reason names, then run `npm run cli -- events put-back`, which seals the event. Do not delete the row.',
  },
  dependsOn: ['database'],
  async measure(context) {
    const { rows }: { rows: { first: number | null; aside: number; row: string | null; others: number }[] } =
      await context.database.raw(
        `select min(id) as first, count(*)::int as aside, r.row, r.others from events_set_aside
         right join (select min(table_name || ' ' || row) as row, count(*)::int as others from rows_set_aside) r on true
         group by r.row, r.others`,
      );
    const { first, row, others } = rows[0]!;
    const aside = first === null ? 0 : rows[0]!.aside;
    if (first === null && row === null) return { seconds: 0, value: 0, message: 'No events are set aside.' };
    const held = unchangedFor(context, String(first ?? row));
    const events = `${counted(aside, 'event')} cannot be sealed`;
    const forged = `${counted(others, 'row')} that the service did not store ${others === 1 ? 'was' : 'were'} left out, such as ${row}`;
    const what = [...(aside > 0 ? [events] : []), ...(others > 0 ? [forged] : [])].join(', and ');
    return {
      ...held,
      atLeast: 'degraded',
      value: aside + others,
      message: `${what}, the oldest for ${span(held.seconds)}. Run npm run cli -- events list to see why.`,
    };
  },
});
