import { fanoutHealth } from '../../webhooks/delivery/cycle.ts';
import { ageCheck, unchangedFor } from '../check.ts';
import { span } from '../span.ts';

/** A cycle starts every 60 seconds (docs/rules/webhooks.md). Judged only while someone is subscribed. */
export const fanoutCheck = ageCheck({
  name: 'fanout',
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
      const held = unchangedFor(context, 'none');
      return { ...held, message: `No fanout cycle has started for at least ${span(held.seconds)}.` };
    }
    const seconds = (context.now - lastCycleAt) / 1000;
    return {
      seconds,
      message: `The last fanout cycle started ${span(seconds)} ago; one starts every minute.`,
    };
  },
});

/** Excludes receivers that fail or asked for a delay, because their owners can see that. */
export const deliveriesCheck = ageCheck({
  name: 'deliveries',
  title: 'Webhook deliveries',
  about: 'Age of the oldest event that a healthy webhook has not received.',
  thresholds: { degraded: 600, down: 3600 },
  runbook: {
    means: 'Working receivers do not get events on time.',
    readers: 'Webhooks are delayed.',
    lookAt: 'The metric `public_picks_webhook_attempts_last_hour` and the queue `webhooks`.',
    first: 'Start more webhooks workers.',
  },
  dependsOn: ['database', 'redis', 'workers-webhooks', 'fanout'],
  async measure({ database, now }) {
    const { oldestUndeliveredAt } = await fanoutHealth(database, now);
    if (oldestUndeliveredAt === null) return { seconds: 0, message: 'All healthy webhooks are up to date.' };
    const seconds = (now - oldestUndeliveredAt) / 1000;
    return {
      seconds,
      message: `The oldest event not sent to a healthy webhook is ${span(seconds)} old.`,
    };
  },
});
