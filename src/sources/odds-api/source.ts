import { askOddsApi } from '../../jobs/ingest.ts';
import type { Job } from '../../jobs/job.ts';
import type { Source } from '../source.ts';

const minute = 60_000;

/** The Odds API (v4). It has no scores for tennis and mma. */
export const oddsApiSource = {
  name: 'odds-api',
  title: 'The Odds API',
  setting: 'ODDS_API_KEY',
  offers: {
    schedule: { sports: 'set', credits: 0, everyMs: 5 * minute, trust: 3 },
    // One credit per market and region.
    prices: { sports: 'set', credits: 1, everyMs: 2 * minute },
    scores: {
      sports: ['nba', 'nfl', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'wnba', 'soccer'],
      credits: 2,
      everyMs: 3 * minute,
      trust: 3,
      settleMs: 0,
    },
  },
  job: askOddsApi as Job,
} as const satisfies Source;
