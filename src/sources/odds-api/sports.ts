import { oddsApiSource } from './source.ts';

/** Sports by key of The Odds API; soccer and tennis have a key per competition. */
const leagues: Readonly<Record<string, string>> = {
  americanfootball_nfl: 'nfl',
  americanfootball_nfl_preseason: 'nfl',
  americanfootball_ncaaf: 'ncaaf',
  basketball_nba: 'nba',
  basketball_nba_preseason: 'nba',
  basketball_ncaab: 'ncaab',
  basketball_wnba: 'wnba',
  baseball_mlb: 'mlb',
  baseball_mlb_preseason: 'mlb',
  icehockey_nhl: 'nhl',
  mma_mixed_martial_arts: 'mma',
};

/** Returns the sport of a key of The Odds API; undefined for an unknown key. */
export function sportOf(key: string): string | undefined {
  if (Object.hasOwn(leagues, key)) return leagues[key];
  return /^(soccer|tennis)_/.exec(key)?.[1];
}

export function hasScores(sport: string | undefined): boolean {
  return (oddsApiSource.offers.scores.sports as readonly (string | undefined)[]).includes(sport);
}

/** Returns the wanted keys that are in season. @param wanted keys, or patterns such as `tennis_*` */
export function wantedKeys(wanted: readonly string[], inSeason: readonly string[]): string[] {
  return inSeason.filter(
    (key) =>
      sportOf(key) !== undefined &&
      wanted.some((want) => (want.endsWith('*') ? key.startsWith(want.slice(0, -1)) : key === want)),
  );
}
