import { ageCheck, type Check, heldSince, type Thresholds } from '../check.ts';
import { span } from '../span.ts';

const name = 'fanout';

/** The fanout's cycle, which begins every 60 seconds (interface, section 6.4). Judged while anybody is subscribed. */
export function fanoutCheck(thresholds: Thresholds): Check {
  return ageCheck({
    name,
    title: 'Webhook fanout',
    about: 'How long ago the last fanout cycle began.',
    thresholds,
    restsOn: ['database', 'redis', 'workers-webhooks'],
    async look(looking) {
      const { rows }: { rows: { last: number | null; active: boolean }[] } = await looking.database.raw(
        `select (select started_at from webhook_cycles where id = 1) as last,
           exists (select from webhook_subscriptions where status = 'active') as active`,
      );
      const { last, active } = rows[0]!;
      if (!active) return { seconds: null, message: 'Nobody is subscribed to webhooks.' };
      // A first cycle is waited for from when the first subscription was seen.
      const held = last === null ? heldSince(looking, name, 'none') : undefined;
      const seconds = held?.seconds ?? (looking.now - (last as number)) / 1000;
      const message =
        last === null
          ? `No fanout cycle has begun for at least ${span(seconds)}.`
          : `The last fanout cycle began ${span(seconds)} ago; one begins every minute.`;
      return { ...held, seconds, message };
    },
  });
}
