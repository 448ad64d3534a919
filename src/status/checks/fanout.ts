import { fanoutHealth } from '../../webhooks/delivery/health.ts';
import { ageCheck, unchangedFor } from '../check.ts';
import { span } from '../span.ts';

const name = 'fanout';

/** A cycle starts every 60 seconds (docs/rules/webhooks.md). Judged only while someone is subscribed. */
export const fanoutCheck = ageCheck({
  name,
  title: 'Webhook fanout',
  about: 'How long ago the last fanout cycle started.',
  thresholds: { degraded: 180, down: 900 },
  runbook: {
    means: 'The webhook fanout has stopped.',
    readers: 'Webhooks are not sent.',
    lookAt: 'The log of `webhooks` and its queue.',
    first: 'Restart the webhooks worker.',
  },
  dependsOn: ['database', 'redis', 'workers-webhooks'],
  async measure(context) {
    const { lastCycleAt, subscribed } = await fanoutHealth(context.database, context.now);
    if (!subscribed) return { seconds: null, message: 'There are no webhook subscriptions.' };
    if (lastCycleAt === null) {
      // The wait for a first cycle counts from the first run that saw a subscription.
      const held = unchangedFor(context, name, 'none');
      return { ...held, message: `No fanout cycle has started for at least ${span(held.seconds)}.` };
    }
    const seconds = (context.now - lastCycleAt) / 1000;
    return {
      seconds,
      message: `The last fanout cycle started ${span(seconds)} ago; one starts every minute.`,
    };
  },
});
