import { askFootballData } from '../../jobs/declared.ts';
import type { Job } from '../../jobs/job.ts';
import type { Source } from '../source.ts';

const minute = 60_000;

/** football-data.org (v4), limited to ten requests a minute. It reports only on known matches and announces none. */
export const footballDataSource = {
  name: 'football-data',
  title: 'football-data.org',
  setting: 'FOOTBALL_DATA_KEY',
  offers: {
    scores: {
      credits: 0,
      everyMs: 2 * minute,
      trust: 2,
      settleMs: 5 * minute,
      hasSport: (sport: string) => sport === 'soccer',
    },
  },
  job: askFootballData as Job,
} as const satisfies Source;
