import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** Closes one game's picks at its start; added with a delay. If the game has moved meanwhile, the job finds nothing due. */
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
  payload: Type.Object({}),
  dedupKey: () => 'grade-due',
  attempts: 15,
  retryEveryMs: 1000,
  everyMs: 15_000,
  pollMs: 250,
});

/** Repairs the list that {@link gradeDueJob} reads, by adding games that should be on it. */
export const relistGamesJob = job({
  name: 'relist-games',
  queue: 'grading',
  about: 'Puts games with pending picks back on the lists of games to grade.',
  payload: Type.Object({}),
  dedupKey: () => 'relist-games',
  everyMs: 3_600_000,
});

/** Keeps stored prices from growing with the number of polls. */
export const thinPricesJob = job({
  name: 'thin-prices',
  queue: 'grading',
  about: 'Removes prices that repeat their neighbors, a week after their game ended.',
  payload: Type.Object({}),
  dedupKey: () => 'thin-prices',
  everyMs: 600_000,
});

/** How long before its start a game's closing is planned, in ms. */
export const planAheadMs = 3_600_000;

/** Plans a {@link closeGame} for every game with open picks that starts within {@link planAheadMs}. */
export const planClosings = job({
  name: 'plan-closings',
  queue: 'grading',
  about: 'Plans the closing of games that start within the next hour.',
  payload: Type.Object({}),
  dedupKey: () => 'plan-closings',
  everyMs: 30_000,
});
