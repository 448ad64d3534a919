/** Months of play-offs, 1 for January, in which matches of a league may go to extra time. */
const none: readonly number[] = [];
const spring = [5, 6];
const autumn = [10, 11, 12];

/** Soccer leagues by key. Any other competition has knockout matches, or is unknown. */
const leagues: Readonly<Record<string, readonly number[]>> = {
  soccer_australia_aleague: spring,
  soccer_austria_bundesliga: spring,
  soccer_belgium_first_div: spring,
  soccer_brazil_campeonato: none,
  soccer_brazil_serie_b: none,
  soccer_chile_campeonato: none,
  soccer_china_superleague: none,
  soccer_denmark_superliga: spring,
  soccer_efl_champ: spring,
  soccer_england_league1: spring,
  soccer_england_league2: spring,
  soccer_epl: none,
  soccer_finland_veikkausliiga: autumn,
  soccer_france_ligue_one: spring,
  soccer_france_ligue_two: spring,
  soccer_germany_bundesliga: spring,
  soccer_germany_bundesliga2: spring,
  soccer_germany_liga3: spring,
  soccer_greece_super_league: spring,
  soccer_italy_serie_a: [6],
  soccer_italy_serie_b: spring,
  soccer_japan_j_league: autumn,
  soccer_korea_kleague1: autumn,
  soccer_league_of_ireland: autumn,
  soccer_mexico_ligamx: [...spring, 11, 12],
  soccer_netherlands_eredivisie: spring,
  soccer_norway_eliteserien: autumn,
  soccer_poland_ekstraklasa: spring,
  soccer_portugal_primeira_liga: spring,
  soccer_russia_premier_league: spring,
  soccer_spain_la_liga: none,
  soccer_spain_segunda_division: spring,
  soccer_spl: spring,
  soccer_sweden_allsvenskan: autumn,
  soccer_sweden_superettan: autumn,
  soccer_switzerland_superleague: spring,
  soccer_turkey_super_league: none,
  soccer_usa_mls: autumn,
};

/**
 * Reports whether a match may go to extra time, by its sport key and its start in epoch milliseconds. Soccer picks cover the 90 minutes
 * (docs/rules/grading.md#soccer).
 */
export function mayHaveExtraTime(key: string, startsAt: number): boolean {
  if (!key.startsWith('soccer_')) return false;
  const months = Object.hasOwn(leagues, key) ? leagues[key] : undefined;
  return months === undefined || months.includes(new Date(startsAt).getUTCMonth() + 1);
}
