import { Type } from '../platform/type.ts';
import { job, type QueueName } from './job.ts';

// Every job of the service. Names and queues are on the wire: they never change.

/** The work between a stored event and its board, which Redis must not delay. */
const neverWaiting = { attempts: 15, retryEveryMs: 1000, everyMs: 15_000, polled: true } as const;

export const advanceDemoJob = job({
  name: 'advance-demo',
  queue: 'ingest',
  about: 'Plays the demo up to the present.',
  exclusive: true,
  everyMs: 2000,
});

export const applyImportsJob = job({
  name: 'apply-imports',
  queue: 'ingest',
  about: 'Stores the imports that have waited long enough.',
  everyMs: 15_000,
});

export const askOddsApi = job({
  name: 'ask-odds-api',
  queue: 'ingest',
  about: 'Polls The Odds API for events, prices, and scores that are due.',
  // No retry: the next run asks again, paced by what is stored for each feed.
  attempts: 1,
  exclusive: true,
  everyMs: 15_000,
});

export const fetchSchedules = job({
  name: 'fetch-schedules',
  queue: 'ingest',
  about: 'Fetches the league schedules that are due.',
  attempts: 1,
  exclusive: true,
  everyMs: 60_000,
});

export const askEspn = job({
  name: 'ask-espn',
  queue: 'ingest',
  about: "Polls ESPN's scoreboard for schedules and scores that are due.",
  attempts: 1,
  exclusive: true,
  everyMs: 15_000,
});

export const askFootballData = job({
  name: 'ask-football-data',
  queue: 'ingest',
  about: 'Polls football-data.org for scores that are due.',
  attempts: 1,
  exclusive: true,
  everyMs: 30_000,
});

/** Ends games once their sources agree on a score: docs/rules/games.md#several-sources. */
export const settleScores = job({
  name: 'settle-scores',
  queue: 'ingest',
  about: 'Ends games whose score waited for a second source or for time to pass.',
  attempts: 1,
  everyMs: 30_000,
});

export const seal = job({
  name: 'seal',
  queue: 'sealing',
  about: 'Seals stored events into the log.',
  ...neverWaiting,
});

/** Signs a checkpoint over the sealed log. Separate from {@link seal}, so that sealing continues if signing fails. */
export const publish = job({
  name: 'publish-checkpoint',
  queue: 'sealing',
  about: 'Signs a checkpoint over the sealed log.',
  ...neverWaiting,
});

/** Follows {@link publish}, which never waits for files: the first run writes the whole log. */
export const writeLogFiles = job({
  name: 'write-log-files',
  queue: 'sealing',
  about: 'Writes the published log to `LOG_FILES`.',
  everyMs: 60_000,
});

/** Writes the record of past months as files (docs/operations.md#data-files). */
export const writeDataFilesJob = job({
  name: 'write-data-files',
  queue: 'sealing',
  about: 'Writes the record of past months as Parquet files, and signs their index.',
  everyMs: 600_000,
  exclusive: true,
});

/** Added with a delay. If the game has moved meanwhile, the job finds nothing due. */
export const closeGame = job({
  name: 'close-game',
  queue: 'grading',
  about: "Closes a game's picks at its start.",
  payload: Type.Object({
    gameId: Type.Integer(),
    startsAt: Type.Integer({ description: 'epoch milliseconds' }),
  }),
  dedupKey: ({ gameId, startsAt }) => `close-${gameId}-${startsAt}`,
});

/** Closes and settles games that are due: they started, ended, were called off, or got a result or a late price. */
export const gradeDueJob = job({
  name: 'grade-due',
  queue: 'grading',
  about: 'Closes and settles the picks of all games that are due.',
  ...neverWaiting,
});

export const relistGamesJob = job({
  name: 'relist-games',
  queue: 'grading',
  about: 'Puts games with pending picks back on the lists of games to grade.',
  everyMs: 3_600_000,
});

/** Keeps stored prices from growing with the number of polls. */
export const thinPricesJob = job({
  name: 'thin-prices',
  queue: 'grading',
  about: 'Removes prices that repeat their neighbors, a week after their game ended.',
  everyMs: 600_000,
});

/** How long before its start a game's closing is planned, in ms. */
export const planAheadMs = 3_600_000;

/** Plans a {@link closeGame} for every game with open picks that starts within {@link planAheadMs}. */
export const planClosings = job({
  name: 'plan-closings',
  queue: 'grading',
  about: 'Plans the closing of games that start within the next hour.',
  everyMs: 30_000,
});

export const followLogJob = job({
  name: 'follow-log',
  queue: 'boards',
  about: 'Brings rollups and boards up to the head of the log.',
  ...neverWaiting,
});

export const renderAhead = job({
  name: 'render-ahead',
  queue: 'boards',
  about: 'Renders stale boards ahead of readers.',
  everyMs: 15_000,
});

/** Purges are sent at once, and again until they are accepted. This job only makes a refusal visible. */
export const reportPurges = job({
  name: 'purge-caches',
  queue: 'boards',
  about: 'Fails while a cache in front has refused purges for a minute.',
  attempts: 1,
  everyMs: 15_000,
});

/** The status worker also runs them on a timer every 15 s, because a job could not report that Redis is down. */
export const runChecksJob = job({
  name: 'look-around',
  queue: 'status',
  about: 'Runs every check, records incidents, and reports them to chat.',
  attempts: 1,
  everyMs: 60_000,
});

/** Lanes of deliveries, each with its own queue: fast receivers, slow or failing ones, chat platforms, and devices. */
export const laneNames = ['healthy', 'slow', 'chat', 'push'] as const;
export type Lane = (typeof laneNames)[number];

/** Starts a fanout cycle at each minute of the service's clock. */
export const fanoutCycle = job({
  name: 'fanout-cycle',
  queue: 'webhooks',
  about: 'Starts a cycle of deliveries once a minute, and fills the lanes that are behind.',
  attempts: 1,
  everyMs: 60_000,
  polled: true,
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

export const eraseSubscriptionsJob = job({
  name: 'erase-subscriptions',
  queue: 'webhooks',
  about: 'Erases subscriptions that ended 30 days ago.',
  everyMs: 600_000,
});

export const trimAttemptsJob = job({
  name: 'trim-attempts',
  queue: 'webhooks',
  about: 'Deletes delivery attempts that are older than 30 days.',
  everyMs: 3_600_000,
});

export const maxPage = 100;

const pageOfSubscriptions = Type.Object({
  subscriptionIds: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: maxPage }),
});

const deliver = (name: string, queue: QueueName, about: string) =>
  job({
    name,
    queue,
    about,
    payload: pageOfSubscriptions,
    // No retry: the next cycle finds undelivered events. If two pages name a subscription, the first to claim it delivers.
    attempts: 1,
  });

export const laneJobs = {
  healthy: deliver(
    'deliver-healthy',
    'webhooks-healthy',
    'Sends undelivered events to a page of subscriptions.',
  ),
  /** Receivers that failed or were slow last time delay only each other. */
  slow: deliver(
    'deliver-slow',
    'webhooks-slow',
    'Sends undelivered events to receivers that failed or were slow.',
  ),
  /** Chat platforms have their own rate limits. */
  chat: deliver('deliver-chat', 'webhooks-chat', 'Sends undelivered events to channels of chat platforms.'),
  /** There may be many more devices than receivers. */
  push: deliver(
    'deliver-push',
    'webhooks-push',
    'Sends undelivered events to devices, through the push services of their browsers.',
  ),
} as const satisfies Record<Lane, unknown>;
