import { Type } from 'typebox';
import { job } from './job.ts';

/**
 * Runs a fanout cycle when a new minute of the service's clock has begun, and between cycles finds what a killed worker or an emptied
 * Redis left undone of this one.
 */
export const fanoutCycle = job({
  name: 'fanout-cycle',
  queue: 'webhooks',
  about: 'Finds the subscriptions that have something to send, once a minute, and adds a delivery for each.',
  payload: Type.Object({}),
  sameAs: () => 'fanout-cycle',
  attempts: 1,
  everyMs: 5000,
});

/** Throws away attempts that are older than 30 days. */
export const trimAttemptsJob = job({
  name: 'trim-attempts',
  queue: 'webhooks',
  about: 'Throws away delivery attempts that are older than 30 days.',
  payload: Type.Object({}),
  sameAs: () => 'trim-attempts',
  everyMs: 3_600_000,
});

const delivery = {
  payload: Type.Object({ subscriptionId: Type.Integer({ minimum: 1 }) }),
  sameAs: ({ subscriptionId }: { subscriptionId: number }) => `subscription-${subscriptionId}`,
  // What a failed job leaves, the fanout finds again.
  attempts: 1,
} as const;

/** What a subscription has to send, in order. */
export const deliverHealthy = job({
  name: 'deliver-healthy',
  queue: 'webhooks-healthy',
  about: 'Sends a subscription what it has not had yet.',
  ...delivery,
});

/** The same for receivers that failed or dawdled last time, so that they hold up each other only. */
export const deliverSlow = job({
  name: 'deliver-slow',
  queue: 'webhooks-slow',
  about: 'The same for receivers that failed or were slow.',
  ...delivery,
});

/** The same for channels of the chat platform, which have limits of their own. */
export const deliverChat = job({
  name: 'deliver-chat',
  queue: 'webhooks-chat',
  about: 'The same for channels of the chat platform.',
  ...delivery,
});
