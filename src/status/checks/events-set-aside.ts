import { ageCheck, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'events-set-aside';

/** Each such event is a fault or an attack, so the first one degrades the check at once. */
export const eventsSetAsideCheck = ageCheck({
  name,
  title: 'Events set aside',
  about: 'How long the oldest event that cannot be sealed has been set aside.',
  thresholds: { degraded: 1, down: 3600 },
  runbook: {
    means: 'An event cannot be sealed. It was set aside so that the others can be sealed.',
    readers: 'A pick, closing odds, or a result is missing from the log.',
    lookAt: '`npm run cli -- events list`, which says why, and the log of `sealing`.',
    first: 'Fix what the reason names. Do not delete the row: the event is sealed as soon as it can be.',
  },
  dependsOn: ['database'],
  async look(context) {
    const { rows }: { rows: { first: number | null; aside: number }[] } = await context.database.raw(
      'select min(id) as first, count(*)::int as aside from events_set_aside',
    );
    const { first, aside } = rows[0]!;
    if (first === null) return { seconds: 0, value: 0, message: 'No events are set aside.' };
    const held = unchangedFor(context, name, String(first));
    return {
      ...held,
      atLeast: 'degraded',
      value: aside,
      message: `${counted(aside, 'event')} cannot be sealed, the oldest for ${span(held.seconds)}. Run npm run cli -- events list to see why.`,
    };
  },
});
