import { ageCheck, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'events-set-aside';

/** Each such event is a bug or an attack, so the first one degrades the check at once. */
export const eventsSetAsideCheck = ageCheck({
  name,
  title: 'Events set aside',
  about: 'How long the oldest event that cannot be sealed has been set aside.',
  thresholds: { degraded: 1, down: 3600 },
  runbook: {
    means:
      'An event cannot be sealed, or a row elsewhere was not stored by the service. It was set aside so that everything else continues.',
    readers: 'A pick, closing odds, or a result is missing from the log.',
    lookAt: '`npm run cli -- events list`, which says why, and the log of `sealing`.',
    first: 'Fix what the reason names. Do not delete the row: the event is sealed as soon as it can be.',
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
    const held = unchangedFor(context, name, String(first ?? row));
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
