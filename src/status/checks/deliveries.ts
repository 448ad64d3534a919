import { fanoutHealth } from '../../webhooks/delivery/health.ts';
import { ageCheck } from '../check.ts';
import { span } from '../span.ts';

/**
 * The oldest event that a webhook has not been sent. Receivers that fail or have asked for patience are left out: that is their trouble,
 * and it is theirs to see.
 */
export const deliveriesCheck = ageCheck({
  name: 'deliveries',
  title: 'Webhook deliveries',
  about: 'How old the oldest event is that a healthy webhook has not been sent.',
  thresholds: { degraded: 600, down: 3600 },
  restsOn: ['database', 'redis', 'workers-webhooks', 'fanout'],
  async look({ database, now }) {
    const { oldestUndeliveredAt } = await fanoutHealth(database, now);
    if (oldestUndeliveredAt === null)
      return { seconds: 0, message: 'Every healthy webhook has been sent everything.' };
    const seconds = (now - oldestUndeliveredAt) / 1000;
    return {
      seconds,
      message: `The oldest event that waits for a healthy webhook is ${span(seconds)} old.`,
    };
  },
});
