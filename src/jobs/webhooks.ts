import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** Lanes of deliveries, each with its own queue: fast receivers, slow or failing ones, chat platforms, and devices. */
export const laneNames = ['healthy', 'slow', 'chat', 'push'] as const;
export type Lane = (typeof laneNames)[number];

/**
 * Starts a fanout cycle at each new minute of the service's clock. The worker adds the job on the minute; `everyMs` catches a missed one.
 */
export const fanoutCycle = job({
  name: 'fanout-cycle',
  queue: 'webhooks',
  about: 'Starts a cycle of deliveries once a minute, and fills the lanes that are behind.',
  payload: Type.Object({}),
  dedupKey: () => 'fanout-cycle',
  attempts: 1,
  everyMs: 60_000,
  pollMs: 2000,
});

/** Adds pages of due subscriptions to a lane while its first pages are already being delivered. One run at a time per lane. */
export const fillLane = job({
  name: 'fill-lane',
  queue: 'webhooks',
  about: 'Finds the subscriptions of a lane with events to send, and adds a delivery per page of them.',
  payload: Type.Object({
    lane: Type.Enum([...laneNames]),
  }),
  dedupKey: ({ lane }) => `fill-${lane}`,
  attempts: 1,
});

/** Erases ended subscriptions when their retention is over. */
export const eraseSubscriptionsJob = job({
  name: 'erase-subscriptions',
  queue: 'webhooks',
  about: 'Erases subscriptions that ended 30 days ago.',
  payload: Type.Object({}),
  dedupKey: () => 'erase-subscriptions',
  everyMs: 600_000,
});

export const trimAttemptsJob = job({
  name: 'trim-attempts',
  queue: 'webhooks',
  about: 'Deletes delivery attempts that are older than 30 days.',
  payload: Type.Object({}),
  dedupKey: () => 'trim-attempts',
  everyMs: 3_600_000,
});

/** Subscriptions per page. */
export const maxPage = 100;

const page = {
  payload: Type.Object({
    subscriptionIds: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: maxPage }),
  }),
  // No retry: the next cycle finds undelivered events. If two pages name a subscription, the first to claim it delivers.
  attempts: 1,
} as const;

/** Delivers to a page of fast receivers, each in order. The return value has the result per subscription. */
export const deliverHealthy = job({
  name: 'deliver-healthy',
  queue: 'webhooks-healthy',
  about: 'Sends undelivered events to a page of subscriptions.',
  ...page,
});

/** Delivers to receivers that failed or were slow last time, so that they delay only each other. */
export const deliverSlow = job({
  name: 'deliver-slow',
  queue: 'webhooks-slow',
  about: 'Sends undelivered events to receivers that failed or were slow.',
  ...page,
});

/** Delivers to chat channels, which have their own rate limits. */
export const deliverChat = job({
  name: 'deliver-chat',
  queue: 'webhooks-chat',
  about: 'Sends undelivered events to channels of chat platforms.',
  ...page,
});

/** Delivers to the push services of devices, of which there may be many more than receivers. */
export const deliverPush = job({
  name: 'deliver-push',
  queue: 'webhooks-push',
  about: 'Sends undelivered events to devices, through the push services of their browsers.',
  ...page,
});

export const laneJobs = {
  healthy: deliverHealthy,
  slow: deliverSlow,
  chat: deliverChat,
  push: deliverPush,
} as const satisfies Record<Lane, unknown>;
