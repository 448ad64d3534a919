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

/** Finds the subscriptions that `webhook.verify` is due for: those that are due again, and what Redis has lost. */
export const verifyDue = job({
  name: 'verify-due',
  queue: 'webhooks',
  about: 'Adds webhook.verify for each new subscription that it is due for.',
  payload: Type.Object({}),
  sameAs: () => 'verify-due',
  attempts: 1,
  everyMs: 15_000,
});

/** Erases subscriptions that ended, or that never proved themselves, when their time is up. */
export const eraseSubscriptionsJob = job({
  name: 'erase-subscriptions',
  queue: 'webhooks',
  about: 'Erases subscriptions that ended 30 days ago, and those that never proved themselves within a day.',
  payload: Type.Object({}),
  sameAs: () => 'erase-subscriptions',
  everyMs: 600_000,
});

/** Deletes attempts that are older than 30 days. */
export const trimAttemptsJob = job({
  name: 'trim-attempts',
  queue: 'webhooks',
  about: 'Deletes delivery attempts that are older than 30 days.',
  payload: Type.Object({}),
  sameAs: () => 'trim-attempts',
  everyMs: 3_600_000,
});

const ofSubscription = Type.Object({ subscriptionId: Type.Integer({ minimum: 1 }) });

/** In the queue of slow receivers: what a new receiver does is not known yet. */
export const verifyReceiver = job({
  name: 'verify-receiver',
  queue: 'webhooks-slow',
  about: 'Sends webhook.verify to the receiver of a new subscription.',
  payload: ofSubscription,
  sameAs: ({ subscriptionId }) => `verify-${subscriptionId}`,
  // A retry is found due.
  attempts: 1,
});

const delivery = {
  payload: ofSubscription,
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

/** The same for receivers that failed or were slow last time, so that they hold up each other only. */
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
