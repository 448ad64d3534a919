import { leagueFiles } from '../../games/names/league-files.ts';
import { askOddsApi } from '../../jobs/declared.ts';
import type { Job } from '../../jobs/job.ts';
import type { Source } from '../source.ts';

const minute = 60_000;

/** The Odds API (v4). */
export const oddsApiSource = {
  name: 'odds-api',
  title: 'The Odds API',
  setting: 'ODDS_API_KEY',
  offers: {
    schedule: { credits: 0, everyMs: 5 * minute, trust: 3 },
    // One credit per market and region.
    prices: { credits: 1, everyMs: 2 * minute },
    scores: {
      credits: 2,
      everyMs: 3 * minute,
      trust: 3,
      settleMs: 0,
      hasSport: (sport: string) =>
        sport === 'soccer' ||
        leagueFiles().some(({ oddsApi }) => oddsApi.some((one) => one.sport === sport && one.hasScores)),
    },
  },
  job: askOddsApi as Job,
} as const satisfies Source;
