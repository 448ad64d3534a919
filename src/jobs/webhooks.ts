import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** A lane of deliveries, each with a queue of its own: receivers that answer quickly, those that do not, channels of chat platforms. */
export const laneNames = ['healthy', 'slow', 'chat'] as const;
export type Lane = (typeof laneNames)[number];

/**
 * Begins a fanout cycle when a new minute of the service's clock has begun. The worker adds it as the minute begins; `everyMs` is the net
 * under that.
 */
export const fanoutCycle = job({
  name: 'fanout-cycle',
  queue: 'webhooks',
  about: 'Begins a cycle of deliveries, once a minute, and has the lanes filled that are behind.',
  payload: Type.Object({}),
  sameAs: () => 'fanout-cycle',
  attempts: 1,
  everyMs: 60_000,
  pollMs: 2000,
});

/** Adds pages of subscriptions that are due to a lane, while the first of them are delivered. One at a time per lane. */
export const fillLane = job({
  name: 'fill-lane',
  queue: 'webhooks',
  about:
    'Finds the subscriptions of a lane that have something to send, and adds a delivery for each page of them.',
  payload: Type.Object({
    lane: Type.Union([Type.Literal('healthy'), Type.Literal('slow'), Type.Literal('chat')]),
  }),
  sameAs: ({ lane }) => `fill-${lane}`,
  attempts: 1,
});

/** Erases subscriptions that ended, when their time is up. */
export const eraseSubscriptionsJob = job({
  name: 'erase-subscriptions',
  queue: 'webhooks',
  about: 'Erases subscriptions that ended 30 days ago.',
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

/** Subscriptions in a page. */
export const maxPage = 100;

const page = {
  payload: Type.Object({
    subscriptionIds: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: maxPage }),
  }),
  // A subscription that two pages name goes to the first one that claims it. What a failed job leaves, the next cycle finds.
  attempts: 1,
} as const;

/** What a page of subscriptions has to send, each in order. Its return value says what came of each of them. */
export const deliverHealthy = job({
  name: 'deliver-healthy',
  queue: 'webhooks-healthy',
  about: 'Sends a page of subscriptions what they have not had yet.',
  ...page,
});

/** The same for receivers that failed or were slow last time, so that they delay each other only. */
export const deliverSlow = job({
  name: 'deliver-slow',
  queue: 'webhooks-slow',
  about: 'The same for receivers that failed or were slow.',
  ...page,
});

/** The same for channels of chat platforms, which have limits of their own. */
export const deliverChat = job({
  name: 'deliver-chat',
  queue: 'webhooks-chat',
  about: 'The same for channels of chat platforms.',
  ...page,
});

/** The job that delivers pages of each lane. */
export const laneJobs = {
  healthy: deliverHealthy,
  slow: deliverSlow,
  chat: deliverChat,
} as const satisfies Record<Lane, unknown>;
