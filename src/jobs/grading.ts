import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** Closes one game's picks at its start: added with a delay. A job whose game has since moved finds nothing due. */
export const closeGame = job({
  name: 'close-game',
  queue: 'grading',
  about: "Closes a game's picks at its start.",
  payload: Type.Object({
    gameId: Type.Integer(),
    startsAt: Type.Integer({ description: 'epoch milliseconds' }),
  }),
  sameAs: ({ gameId, startsAt }) => `close-${gameId}-${startsAt}`,
});

/** Closes and settles whatever is due: games that started, ended, were called off, or had a result or a late price come in. */
export const gradeDueJob = job({
  name: 'grade-due',
  queue: 'grading',
  about: 'Closes and settles the picks of all games that are due.',
  payload: Type.Object({}),
  sameAs: () => 'grade-due',
  attempts: 15,
  retryEveryMs: 1000,
  everyMs: 15_000,
  pollMs: 250,
});

/** A net under {@link gradeDueJob}: looks once at the games that it does not wait for. */
export const relistGamesJob = job({
  name: 'relist-games',
  queue: 'grading',
  about:
    'Lists games with pending picks that are on no list, so that what a list lost is graded all the same.',
  payload: Type.Object({}),
  sameAs: () => 'relist-games',
  everyMs: 3_600_000,
});

/** Keeps what is stored of prices from growing with how often a source is asked. */
export const thinPricesJob = job({
  name: 'thin-prices',
  queue: 'grading',
  about:
    'Removes prices of games that ended a week ago where they repeat the price before and the one after.',
  payload: Type.Object({}),
  sameAs: () => 'thin-prices',
  everyMs: 600_000,
});

/** How long before its start the closing of a game is planned. */
export const planAheadMs = 3_600_000;

/** Plans a {@link closeGame} for every game with open picks that starts soon. */
export const planClosings = job({
  name: 'plan-closings',
  queue: 'grading',
  about: 'Plans the closing of games that start within the next hour.',
  payload: Type.Object({}),
  sameAs: () => 'plan-closings',
  everyMs: 30_000,
});
