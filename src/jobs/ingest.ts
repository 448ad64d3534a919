import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** Plays the demo: posts picks, moves lines, starts and ends games. Does nothing unless `DEMO` is on. */
export const advanceDemoJob = job({
  name: 'advance-demo',
  queue: 'ingest',
  about: 'Plays the demo up to the present.',
  payload: Type.Object({}),
  dedupKey: () => 'advance-demo',
  exclusive: true,
  everyMs: 2000,
});

/** Stores picks of sheets that have waited before they are public. */
export const applyImportsJob = job({
  name: 'apply-imports',
  queue: 'ingest',
  about: 'Stores the imports that have waited long enough.',
  payload: Type.Object({}),
  dedupKey: () => 'apply-imports',
  everyMs: 15_000,
});

/** Polls The Odds API for events, prices, and scores that are due. Does nothing unless `ODDS_API_KEY` is set. */
export const askOddsApi = job({
  name: 'ask-odds-api',
  queue: 'ingest',
  about: 'Polls The Odds API for events, prices, and scores that are due.',
  payload: Type.Object({}),
  dedupKey: () => 'ask-odds-api',
  // No retry: the next run asks again, paced by what is stored for each feed.
  attempts: 1,
  exclusive: true,
  everyMs: 15_000,
});

/** Fetches the league schedules of `SCHEDULE_FEEDS` that are due. */
export const fetchSchedules = job({
  name: 'fetch-schedules',
  queue: 'ingest',
  about: 'Fetches the league schedules that are due.',
  payload: Type.Object({}),
  dedupKey: () => 'fetch-schedules',
  attempts: 1,
  exclusive: true,
  everyMs: 60_000,
});

/** Polls ESPN's scoreboard for schedules and scores that are due. Does nothing unless `ESPN_LEAGUES` is set. */
export const askEspn = job({
  name: 'ask-espn',
  queue: 'ingest',
  about: "Polls ESPN's scoreboard for schedules and scores that are due.",
  payload: Type.Object({}),
  dedupKey: () => 'ask-espn',
  attempts: 1,
  exclusive: true,
  everyMs: 15_000,
});

/** Polls football-data.org for scores of soccer matches with open picks. Does nothing unless `FOOTBALL_DATA_KEY` is set. */
export const askFootballData = job({
  name: 'ask-football-data',
  queue: 'ingest',
  about: 'Polls football-data.org for scores that are due.',
  payload: Type.Object({}),
  dedupKey: () => 'ask-football-data',
  attempts: 1,
  exclusive: true,
  everyMs: 30_000,
});

/** Ends games once their sources agree on a score: docs/rules/games.md#several-sources. */
export const settleScores = job({
  name: 'settle-scores',
  queue: 'ingest',
  about: 'Ends games whose score waited for a second source or for time to pass.',
  payload: Type.Object({}),
  dedupKey: () => 'settle-scores',
  attempts: 1,
  everyMs: 30_000,
});
