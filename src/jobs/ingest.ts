import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** Lets the demo's world go on: picks are posted, lines move, games start and end. Does nothing unless `DEMO` is on. */
export const advanceDemoJob = job({
  name: 'advance-demo',
  queue: 'ingest',
  about: 'Plays the demo world on to the present instant.',
  payload: Type.Object({}),
  sameAs: () => 'advance-demo',
  alone: true,
  everyMs: 2000,
});

/** Asks The Odds API for what is due: events, prices, scores. Does nothing unless `ODDS_API_KEY` is set. */
export const askOddsApi = job({
  name: 'ask-odds-api',
  queue: 'ingest',
  about: 'Asks The Odds API for the events, prices and scores that are due.',
  payload: Type.Object({}),
  sameAs: () => 'ask-odds-api',
  // Comes again by itself, paced by what is remembered of each feed.
  attempts: 1,
  alone: true,
  everyMs: 15_000,
});

/** Fetches the league schedules of `SCHEDULE_FEEDS` that are due. */
export const fetchSchedules = job({
  name: 'fetch-schedules',
  queue: 'ingest',
  about: 'Fetches the league schedules that are due.',
  payload: Type.Object({}),
  sameAs: () => 'fetch-schedules',
  attempts: 1,
  alone: true,
  everyMs: 60_000,
});

/** Asks ESPN's scoreboard for what is due. Does nothing unless `ESPN_LEAGUES` is set. */
export const askEspn = job({
  name: 'ask-espn',
  queue: 'ingest',
  about: "Asks ESPN's scoreboard for the schedules and scores that are due.",
  payload: Type.Object({}),
  sameAs: () => 'ask-espn',
  attempts: 1,
  alone: true,
  everyMs: 15_000,
});

/** Asks football-data.org for the scores of soccer matches that picks wait for. Does nothing unless `FOOTBALL_DATA_KEY` is set. */
export const askFootballData = job({
  name: 'ask-football-data',
  queue: 'ingest',
  about: 'Asks football-data.org for the scores that are due.',
  payload: Type.Object({}),
  sameAs: () => 'ask-football-data',
  attempts: 1,
  alone: true,
  everyMs: 30_000,
});

/** Ends games about which the sources agree by now: docs/rules/games.md#several-sources. */
export const settleScores = job({
  name: 'settle-scores',
  queue: 'ingest',
  about: 'Ends games whose score waited for a second source, or to settle.',
  payload: Type.Object({}),
  sameAs: () => 'settle-scores',
  attempts: 1,
  everyMs: 30_000,
});
