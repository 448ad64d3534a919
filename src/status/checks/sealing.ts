import { ageCheck, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'sealing';

/** The oldest event without a place in the log. Events bear no instant of their storing, so it is how long it has been the oldest. */
export const sealingCheck = ageCheck({
  name,
  title: 'Sealing',
  about: 'How long the oldest stored event has waited for its place in the log.',
  thresholds: { degraded: 60, down: 600 },
  restsOn: ['database', 'workers-sealing'],
  async look(context) {
    const { rows }: { rows: { oldest: number | null; waiting: number }[] } = await context.database.raw(
      `select (select min(id) from unsealed_events) as oldest,
         (select count(*) from (select from unsealed_events limit 10000) as queue)::int as waiting`,
    );
    const { oldest, waiting } = rows[0]!;
    if (oldest === null) return { seconds: 0, value: 0, message: 'Every event is sealed into the log.' };
    const held = unchangedFor(context, name, String(oldest));
    return {
      ...held,
      value: waiting,
      message: `${counted(waiting, 'event')} not sealed into the log yet, the oldest for ${span(held.seconds)}.`,
    };
  },
});
