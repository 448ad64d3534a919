import { askEspn } from '../../jobs/ingest.ts';
import type { Job } from '../../jobs/job.ts';
import type { Source } from '../source.ts';

const minute = 60_000;
const sports = ['nba', 'nfl', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'wnba', 'mma', 'soccer'];

/** ESPN's public scoreboard. It is undocumented and may change or end at any time, so every answer is checked. */
export const espnSource = {
  name: 'espn',
  title: 'ESPN scoreboard',
  setting: 'ESPN_LEAGUES',
  offers: {
    schedule: { sports, credits: 0, everyMs: 30 * minute, trust: 1 },
    scores: { sports, credits: 0, everyMs: 2 * minute, trust: 1, settleMs: 5 * minute },
  },
  job: askEspn as Job,
} as const satisfies Source;
