import { ageCheck, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'sealing';

/** Unsealed events have no timestamp, so the age counts from the first run that saw the oldest one. */
export const sealingCheck = ageCheck({
  name,
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
    const held = unchangedFor(context, name, String(oldest));
    return {
      ...held,
      value: waiting,
      message: `${counted(waiting, 'event')} not sealed yet, the oldest for ${span(held.seconds)}.`,
    };
  },
});
