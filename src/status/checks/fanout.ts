import { fanoutHealth } from '../../webhooks/delivery/health.ts';
import { ageCheck, unchangedFor } from '../check.ts';
import { span } from '../span.ts';

const name = 'fanout';

/** The fanout's cycle, which begins every 60 seconds (docs/decisions/0020-webhook-delivery.md). Judged while anybody is subscribed. */
export const fanoutCheck = ageCheck({
  name,
  title: 'Webhook fanout',
  about: 'How long ago the last fanout cycle began.',
  thresholds: { degraded: 180, down: 900 },
  restsOn: ['database', 'redis', 'workers-webhooks'],
  async look(context) {
    const { lastCycleAt, subscribed } = await fanoutHealth(context.database, context.now);
    if (!subscribed) return { seconds: null, message: 'Nobody is subscribed to webhooks.' };
    if (lastCycleAt === null) {
      // A first cycle is waited for from when a subscription was first seen.
      const held = unchangedFor(context, name, 'none');
      return { ...held, message: `No fanout cycle has begun for at least ${span(held.seconds)}.` };
    }
    const seconds = (context.now - lastCycleAt) / 1000;
    return {
      seconds,
      message: `The last fanout cycle began ${span(seconds)} ago; one begins every minute.`,
    };
  },
});
