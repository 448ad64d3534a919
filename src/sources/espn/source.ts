import { leagueFiles } from '../../games/names/league-files.ts';
import { askEspn } from '../../jobs/declared.ts';
import type { Job } from '../../jobs/job.ts';
import type { Source } from '../source.ts';

const minute = 60_000;

/** ESPN's public scoreboard. It is undocumented and may change or end at any time, so every answer is checked. */
export const espnSource = {
  name: 'espn',
  title: 'ESPN scoreboard',
  setting: 'ESPN_LEAGUES',
  offers: {
    schedule: { credits: 0, everyMs: 30 * minute, trust: 1 },
    scores: {
      credits: 0,
      everyMs: 2 * minute,
      trust: 1,
      settleMs: 5 * minute,
      hasSport: (sport: string) =>
        sport === 'soccer' || leagueFiles().some(({ espn }) => espn.some((league) => league.sport === sport)),
    },
  },
  job: askEspn as Job,
} as const satisfies Source;
