import { ageCheck, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'events-set-aside';

/** Events that could not be sealed: each is a fault or an attack, so the first makes it degraded at once. */
export const eventsSetAsideCheck = ageCheck({
  name,
  title: 'Events set aside',
  about: 'How long an event that could not be sealed has been set aside.',
  thresholds: { degraded: 1, down: 3600 },
  restsOn: ['database'],
  async look(context) {
    const { rows }: { rows: { first: number | null; aside: number }[] } = await context.database.raw(
      'select min(id) as first, count(*)::int as aside from events_set_aside',
    );
    const { first, aside } = rows[0]!;
    if (first === null) return { seconds: 0, value: 0, message: 'No event is set aside.' };
    const held = unchangedFor(context, name, String(first));
    return {
      ...held,
      atLeast: 'degraded',
      value: aside,
      message: `${counted(aside, 'event')} could not be sealed, the first for ${span(held.seconds)}: npm run cli -- events list says why.`,
    };
  },
});
