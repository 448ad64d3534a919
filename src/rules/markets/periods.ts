import { ownValue } from '../own-value.ts';
/** A part of a game: the suffix of its markets' keys at The Odds API. */
export type Period =
  | 'h1'
  | 'h2'
  | 'q1'
  | 'q2'
  | 'q3'
  | 'q4'
  | 'p1'
  | 'p2'
  | 'p3'
  | `1st_${1 | 3 | 5 | 7}_innings`
  | 'regulation';

/** The names of each part, separated by `|`. The first one is printed. */
export const periodWords = {
  h1: '1h|1hz|1 hz|h1|fh|ht|half time|1st half|first half|1 half|1ht|1er tiempo|primera mitad|primera parte|mi temps|mt|mt1|mt 1|1 mt|1ere mt|1ere mi temps|1re mi temps|premiere mi temps|primeiro tempo|1o tempo|1a parte|primo tempo|1 tempo|1 halbzeit|erste halbzeit|1e helft|eerste helft|forsta halvlek|halvtid|1 halvlek|1 omgang|forste omgang|1 polowa|pierwsza polowa',
  h2: '2h|2hz|2 hz|h2|2nd half|second half|2 half|2ht|segunda mitad|segunda parte|mt2|mt 2|2 mt|2eme mt|2eme mi temps|2e mi temps|deuxieme mi temps|segundo tempo|2o tempo|2a parte|secondo tempo|2 tempo|2 halbzeit|zweite halbzeit|2e helft|tweede helft|andra halvlek|2 halvlek|2 omgang|andre omgang|2 polowa|druga polowa',
  ...numbered('q', 'quarter|qtr|q'),
  ...numbered('p', 'period|per'),
  '1st_1_innings': '1st inning|first inning|1st 1 inning|1st inn|f1|1st 1 innings',
  ...innings(3, 'three'),
  ...innings(5, 'five'),
  ...innings(7, 'seven'),
  regulation:
    'regulation|reg|reg time|regular time|regulation time|regulation only|in regulation|60 min|60 minutes|60min|no ot|no overtime|excluding ot|excl ot|excluding overtime|excl overtime|without overtime|without ot|ohne verlangerung|regulare spielzeit|tiempo reglamentario|tempi regolamentari',
} as Readonly<Record<Period, string>>;

function numbered(letter: 'q' | 'p', words: string): Record<string, string> {
  const ordinals = ['1st|first', '2nd|second', '3rd|third', '4th|fourth'].slice(0, letter === 'q' ? 4 : 3);
  return Object.fromEntries(
    ordinals.map((ordinal, at) => {
      const long = words
        .split('|')
        .flatMap((word) => [...ordinal.split('|').map((each) => `${each} ${word}`), `${word} ${at + 1}`]);
      const german = `${at + 1} ${letter === 'q' ? 'viertel' : 'drittel'}`;
      return [`${letter}${at + 1}`, [`${at + 1}${letter}`, `${letter}${at + 1}`, ...long, german].join('|')];
    }),
  );
}

function innings(count: number, word: string): Record<string, string> {
  const starts = [`f${count}`, `first ${count}`, `1st ${count}`, `first ${word}`, `1st ${word}`];
  const names = starts.flatMap((start) => [start, `${start} innings`, `${start} inn`]);
  return { [`1st_${count}_innings`]: names.join('|') };
}

/** Sports by the kinds of parts that they have, by a key's first letter. */
const sportsOf: Readonly<Record<string, readonly string[]>> = {
  h: ['nba', 'wnba', 'ncaab', 'nfl', 'ncaaf', 'soccer'],
  q: ['nba', 'wnba', 'nfl', 'ncaaf'],
  p: ['nhl'],
  '1': ['mlb'],
  r: ['nba', 'wnba', 'ncaab', 'nfl', 'ncaaf', 'nhl'],
};

/** The names of markets at The Odds API, before a part of a game. */
const keys: Readonly<Record<string, string>> = {
  moneyline: 'h2h',
  spread: 'spreads',
  total: 'totals',
  team_total: 'team_totals',
};

/** Returns the market of a part of a game; undefined if the sport has no such part. Without a sport, every part is possible. */
export function inPeriod(sport: string | undefined, market: string, period: Period): string | undefined {
  if (sport !== undefined && ownValue(sportsOf, period[0]!)?.includes(sport) !== true) return undefined;
  if (period === 'regulation' && market === 'moneyline') return 'h2h_3_way';
  if (period === 'h1' && market !== 'team_total' && market in keys) return `first_half_${market}`;
  return `${ownValue(keys, market) ?? market}_${period}`;
}

const wholes = new Map(Object.entries(keys).map(([market, key]) => [key, market]));

/** Splits the market of a part of a game into the market of the whole game and the part. Other markets have no part. */
export function periodOf(market: string): { whole: string; period: Period | undefined } {
  const half = /^first_half_(.+)$/.exec(market);
  if (half !== null) return { whole: half[1]!, period: 'h1' };
  for (const period of Object.keys(periodWords) as Period[])
    if (market.endsWith(`_${period}`)) {
      const whole = market.slice(0, -period.length - 1);
      return { whole: wholes.get(whole) ?? whole, period };
    }
  return { whole: market, period: undefined };
}

/** Returns the short name of a part, such as `1H`. */
export function periodName(period: Period): string {
  const [first = ''] = periodWords[period].split('|');
  return /^\w\w$/.test(first) ? first.toUpperCase() : first;
}
