import { fanoutHealth } from '../../webhooks/delivery/health.ts';
import { ageCheck } from '../check.ts';
import { span } from '../span.ts';

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
