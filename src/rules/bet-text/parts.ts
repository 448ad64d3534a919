/** A part of a game: the suffix of its markets' keys at The Odds API. */
export type Part =
  | 'h1'
  | 'h2'
  | 'q1'
  | 'q2'
  | 'q3'
  | 'q4'
  | 'p1'
  | 'p2'
  | 'p3'
  | `1st_${1 | 3 | 5 | 7}_innings`;

const words: Readonly<Record<Part, RegExp>> = {
  h1: /^(?:1h|h1|fh|first half|1st half|first-half|1sthalf|firsthalf)$/,
  h2: /^(?:2h|h2|2nd half|second half|2ndhalf)$/,
  q1: /^(?:1q|q1|1st quarter|first quarter|1st q)$/,
  q2: /^(?:2q|q2|2nd quarter|second quarter|2nd q)$/,
  q3: /^(?:3q|q3|3rd quarter|third quarter|3rd q)$/,
  q4: /^(?:4q|q4|4th quarter|fourth quarter|4th q)$/,
  p1: /^(?:1p|p1|1st period|first period)$/,
  p2: /^(?:2p|p2|2nd period|second period)$/,
  p3: /^(?:3p|p3|3rd period|third period)$/,
  '1st_1_innings': /^(?:1st inning|first inning|f1|1st inn)$/,
  '1st_3_innings': /^(?:f3|first 3|1st 3|first three)(?: innings| inn)?$/,
  '1st_5_innings': /^(?:f5|first 5|1st 5|first five|1st five)(?: innings| inn)?$/,
  '1st_7_innings': /^(?:f7|first 7|1st 7|first seven)(?: innings| inn)?$/,
};

/** Sports by the kinds of parts that they have. */
const sportsOf: Readonly<Record<string, readonly string[]>> = {
  h: ['nba', 'wnba', 'ncaab', 'nfl', 'ncaaf', 'soccer'],
  q: ['nba', 'wnba', 'nfl', 'ncaaf'],
  p: ['nhl'],
  '1': ['mlb'],
};

/** Returns the part of a game that words name. */
export function partMeant(text: string): Part | undefined {
  return (Object.keys(words) as Part[]).find((part) => words[part].test(text));
}

const keys: Readonly<Record<string, string>> = {
  moneyline: 'h2h',
  spread: 'spreads',
  total: 'totals',
  team_total: 'team_totals',
};

/**
 * Returns the market of a part of a game, and its subject. Declared markets have no subject; that of others is the game's title. Undefined
 * if the sport has no such part.
 */
export function partMarkets(
  part: Part,
  sport: string,
  market: string,
  title = '',
): { market: string; subject: string | null } | undefined {
  if (sportsOf[part[0]!]?.includes(sport) !== true) return undefined;
  if (part === 'h1' && market !== 'team_total') return { market: `first_half_${market}`, subject: null };
  return { market: `${keys[market] ?? market}_${part}`, subject: title };
}

const wholes = new Map(Object.entries(keys).map(([market, key]) => [key, market]));

/** Splits the market of a part of a game into the market of the whole game and the part. Other markets have no part. */
export function partMarketNamed(market: string): { whole: string; part: Part | undefined } {
  const half = /^first_half_(.+)$/.exec(market);
  if (half !== null) return { whole: half[1]!, part: 'h1' };
  const found = /^(h2h|spreads|totals|team_totals)_(.+)$/.exec(market);
  const part = found?.[2];
  if (found === null || part === undefined || !Object.hasOwn(words, part))
    return { whole: market, part: undefined };
  return { whole: wholes.get(found[1]!)!, part: part as Part };
}

/** Returns the short name of a part, such as `1H`. */
export function partWords(part: Part): string {
  const innings = /^1st_(\d)_innings$/.exec(part)?.[1];
  if (innings === '1') return '1st inning';
  return innings === undefined ? `${part[1]}${part[0]!.toUpperCase()}` : `F${innings}`;
}
