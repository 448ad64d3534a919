import { leagueFiles } from '../../games/names/league-files.ts';
import { oddsApiSource } from './source.ts';

/** Returns the sport of a key of The Odds API; undefined for an unknown key. Soccer and tennis have a key per competition. */
export function sportOf(key: string): string | undefined {
  const listed = leagueFiles()
    .flatMap(({ oddsApi }) => oddsApi)
    .find(({ keys }) => keys.includes(key));
  return listed?.sport ?? /^(soccer|tennis)_/.exec(key)?.[1];
}

export function hasScores(sport: string | undefined): boolean {
  return sport !== undefined && oddsApiSource.offers.scores.hasSport(sport);
}

/**
 * Reports whether a match may go to extra time, by its sport key and its start in epoch milliseconds. Soccer picks cover the 90 minutes
 * (docs/rules/grading.md#soccer). A competition that no file lists has knockout matches, or is unknown.
 */
export function mayHaveExtraTime(key: string, startsAt: number): boolean {
  if (!key.startsWith('soccer_')) return false;
  const months = leagueFiles()
    .find(({ playoffs }) => playoffs.has(key))
    ?.playoffs.get(key);
  return months?.includes(new Date(startsAt).getUTCMonth() + 1) ?? true;
}

/** Returns the wanted keys that are in season. @param wanted keys, or patterns such as `tennis_*` */
export function wantedKeys(wanted: readonly string[], inSeason: readonly string[]): string[] {
  return inSeason.filter(
    (key) =>
      sportOf(key) !== undefined &&
      wanted.some((want) => (want.endsWith('*') ? key.startsWith(want.slice(0, -1)) : key === want)),
  );
}
