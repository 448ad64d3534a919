import { plainWords } from './plain-name.ts';

/** Names of each sport by key. Case, spaces, and punctuation do not matter. */
const words: Readonly<Record<string, string>> = {
  nba: 'nba, nba basketball, national basketball association',
  wnba: 'wnba, wnba basketball',
  ncaab:
    'ncaab, cbb, ncaam, ncaamb, ncaa basketball, college basketball, ncaa mens basketball, mens college basketball, college bb, ncaabb, march madness',
  nfl: 'nfl, nfl football, american football nfl, national football league',
  ncaaf: 'ncaaf, cfb, ncaa football, college football, ncaafb, college fb, fbs, fcs',
  mlb: 'mlb, baseball mlb, mlb baseball, major league baseball',
  nhl: 'nhl, ice hockey nhl, nhl hockey, national hockey league',
  soccer:
    'soccer, futbol, association football, fussball, calcio, futebol, voetbal, fotboll, fotball, fodbold, pilka nozna, jalkapallo, nogomet',
  tennis: 'tennis, tenis, atp, wta, atp tennis, wta tennis, itf, challenger, grand slam',
  mma: 'mma, ufc, mixed martial arts, ufc mma, bellator, pfl',
};

const soccerCompetitions =
  'epl, premier league, english premier league, england premier league, mls, major league soccer, la liga, laliga, serie a, bundesliga, ligue 1, champions league, ucl, uefa champions league, europa league, uel, conference league, fa cup, efl cup, carabao cup, efl championship, copa del rey, coppa italia, liga mx, eredivisie, primeira liga, liga portugal, brasileirao, scottish premiership, championship, league one, league two, 2 bundesliga, serie b, la liga 2, ligue 2, jupiler pro league, super lig, nwsl, world cup, copa america, euros, uefa euro, allsvenskan, eliteserien, ekstraklasa, veikkausliiga, superligaen, primera division, segunda division, 3 liga, serie c, dfb pokal, coupe de france, scottish cup, spfl, j1 league, k league 1, liga profesional';

/** Names that can mean several of our sports. */
const several: Readonly<Record<string, readonly string[]>> = {
  football: ['nfl', 'ncaaf', 'soccer'],
  americanfootball: ['nfl', 'ncaaf'],
  ...allOf('basketball, baloncesto, basquete, pallacanestro, basket', ['nba', 'wnba', 'ncaab']),
  ncaa: ['ncaaf', 'ncaab'],
  college: ['ncaaf', 'ncaab'],
  ...allOf('baseball, beisbol, beisebol, honkbal', ['mlb']),
  ...allOf('hockey, ice hockey, eishockey, ishockey, hockey sur glace, hockey su ghiaccio, hokej', ['nhl']),
};

function allOf(names: string, sports: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(', ').map((name) => [keyOf(name), sports]));
}

/** Popular betting sports and leagues without a key. */
const foreign = new Set(
  'ncaaw, ncaawb, womens college basketball, wcbb, kbo, npb, golf, pga, boxing, nascar, f1, formula 1, cricket, rugby, darts, esports, csgo, cs2, lol, dota2, khl, euroleague, cfl, xfl, ufl, afl, nrl, horse racing, table tennis, handball, volleyball, snooker, olympics, college baseball, softball, lacrosse, politics'
    .split(', ')
    .map(keyOf),
);

const byWord = new Map(
  Object.entries(words).flatMap(([sport, text]) => text.split(', ').map((word) => [keyOf(word), sport])),
);
const competitions = new Map(soccerCompetitions.split(', ').map((word) => [keyOf(word), word]));

export const longestSportWord = 4;

/**
 * `sports`: the keys that a name can mean. `exact`: the name means exactly that sport or league; otherwise the sport also has other
 * leagues, as for `Hockey`. `competition`: the named league, in a sport with many.
 */
export interface SportMeaning {
  sports: readonly string[];
  exact: boolean;
  competition?: string;
}

/**
 * Returns the sports that a name can mean: no keys for a sport that we do not cover, undefined if the text names no sport.
 * @param added keys of sports that the ledger has beside the usual ones
 */
export function sportMeant(text: string, added: readonly string[] = []): SportMeaning | undefined {
  const key = keyOf(text);
  const sport = added.includes(key) ? key : byWord.get(key);
  if (sport !== undefined) return { sports: [sport], exact: true };
  if (competitions.has(key)) return { sports: ['soccer'], exact: true, competition: text.trim() };
  if (Object.hasOwn(several, key)) return { sports: several[key]!, exact: false };
  return foreign.has(key) ? { sports: [], exact: true } : undefined;
}

/** Tours and events that have the name of a town or a number, with what may stand beside: `ATP Rome`, `UFC 300`. */
const named: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:atp|wta|itf) (?!.*\b(?:doubles|mixed|teams?)\b)|^(?:wimbledon|roland garros|(?:french|australian) open)$/,
    'tennis',
  ],
  [/^(?:ufc|bellator|pfl) /, 'mma'],
];

/** When in a season, after a league or without one. */
const stage =
  /(?:^| )(?:(?:week|wk|round(?: of)?|matchday|md|gw|gameweek) \d+|(?:regular|post) ?season|play ?offs?|(?:(?:quarter|semi) ?)?finals?|group (?:stage|[a-l])|league phase)$/;

const countries = new Set(
  'england, eng, scotland, wales, northern ireland, ireland, spain, esp, italy, ita, germany, ger, france, fra, portugal, netherlands, holland, belgium, turkey, turkiye, greece, austria, switzerland, denmark, sweden, norway, finland, iceland, poland, czech republic, czechia, slovakia, slovenia, croatia, serbia, ukraine, russia, romania, bulgaria, hungary, cyprus, israel, usa, us, united states, canada, mexico, brazil, argentina, chile, colombia, uruguay, paraguay, peru, ecuador, japan, south korea, korea, china, australia, saudi arabia, egypt, south africa, europe, uefa, international, world, fifa, south america'.split(
    ', ',
  ),
);

/**
 * Returns the sports that a cell of a league can mean: like {@link sportMeant}, also beside a country, the sport's name, or a stage, as in
 * `UEFA Champions League - Group Stage`. Undefined if any part has no meaning, because it can name another sport's league.
 */
export function leagueMeant(cell: string): SportMeaning | undefined {
  const whole = sportMeant(cell) ?? ofTour(plainWords(cell).join(' '));
  if (whole !== undefined) return whole;
  const parts = cell
    .split(/\s*[-–—:/,|()]\s*|\. /)
    .map((part) => plainWords(part).join(' ').replace(stage, ''));
  const leagues = parts.filter((part) => part !== '' && !countries.has(part));
  const meanings = leagues.map((part) => sportMeant(part) ?? ofTour(part));
  const [first, ...others] = meanings.filter((meaning) => meaning !== undefined);
  if (first === undefined || meanings.includes(undefined)) return undefined;
  const exact = [first, ...others].some((meaning) => meaning.exact);
  // `Japan - Baseball` is not the league that we mean by baseball.
  if (!exact && leagues.length < parts.length) return undefined;
  const sports = first.sports.filter((sport) => others.every((meaning) => meaning.sports.includes(sport)));
  return { sports, exact: exact || sports.length === 0 };
}

function ofTour(part: string): SportMeaning | undefined {
  const [, sport] = named.find(([pattern]) => pattern.test(part)) ?? [];
  return sport === undefined ? undefined : { sports: [sport], exact: true };
}

function keyOf(text: string): string {
  return plainWords(text).join('');
}
