import { leaguesOf } from './espn/leagues.ts';
import { sportOf } from './odds-api/sports.ts';
import type { SourceSettings } from './poll-deps.ts';

/** Returns the faults of settings that name leagues without a file in `src/games/names/leagues`. */
export function leagueFaults({
  espn,
  oddsApi,
}: {
  espn: Pick<SourceSettings['espn'], 'leagues'>;
  oddsApi: Pick<SourceSettings['oddsApi'], 'sports'>;
}): string[] {
  const leagues = espn.leagues.filter((name) => leaguesOf([name]).length === 0);
  const sports = oddsApi.sports.filter((key) => !key.endsWith('*') && sportOf(key) === undefined);
  return [
    ...leagues.map((name) => `ESPN_LEAGUES names ${name}, which no league's file lists`),
    ...sports.map((key) => `ODDS_API_SPORTS names ${key}, which no league's file lists`),
  ];
}
