/** Sport keys of The Odds API that are leagues of ours; of soccer and tennis it has one key a competition. */
const leagues: Readonly<Record<string, string>> = {
  americanfootball_nfl: 'nfl',
  americanfootball_ncaaf: 'ncaaf',
  basketball_nba: 'nba',
  basketball_ncaab: 'ncaab',
  basketball_wnba: 'wnba',
  baseball_mlb: 'mlb',
  icehockey_nhl: 'nhl',
  mma_mixed_martial_arts: 'mma',
};

/** Our sport for a key of The Odds API; undefined where it is none of ours. */
export function sportOf(key: string): string | undefined {
  if (Object.hasOwn(leagues, key)) return leagues[key];
  return /^(soccer|tennis)_/.exec(key)?.[1];
}

/** Which of the keys that are in season are asked for. @param wanted keys, or all of a kind as in `tennis_*` */
export function wantedKeys(wanted: readonly string[], inSeason: readonly string[]): string[] {
  return inSeason.filter(
    (key) =>
      sportOf(key) !== undefined &&
      wanted.some((want) => (want.endsWith('*') ? key.startsWith(want.slice(0, -1)) : key === want)),
  );
}
