import type { LineRow } from '../../src/intake/price.ts';
import { iso } from '../../src/platform/clock.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Returns the next number of a pseudorandom sequence, in [0, 1). */
export type Random = () => number;

/** Returns the same sequence for the same seed (splitmix32), which may be a name. */
export function seeded(seed: number | string): Random {
  let state =
    typeof seed === 'number'
      ? seed | 0
      : [...seed].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619), 0x811c9dc5);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
  };
}

export function oneOf<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Returns the normal distribution function (Abramowitz and Stegun, 7.1.26). */
function phi(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const tail =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - tail * Math.exp(-x * x);
  return (1 + Math.sign(z) * erf) / 2;
}

export interface Selection {
  market: 'moneyline' | 'spread' | 'total';
  side: 'home' | 'away' | 'over' | 'under';
  line: number | null;
}

/** A price of one book, in American odds. */
export interface Quote extends Selection {
  book: string;
  oddsAmerican: number;
  /** Epoch milliseconds. */
  at: number;
}

/** A game drawn from fair odds: until the start, what the market expects moves as a martingale, and the score follows from its last value. */
export interface FairGame {
  index: number;
  name: { sport: string; game: string; startsAt: string };
  start: number;
  quotes: Quote[];
  /** The book that errs in the snapshot of {@link captures.posting}, and the side of the moneyline that it prices too high. */
  error: { book: string; side: 'home' | 'away' };
  homeScore: number;
  awayScore: number;
  /** Returns the fair probability that a bet at its line wins, pushes aside, as known at one of {@link instants}. */
  chance(selection: Selection, before: number): number;
}

export const books = ['north', 'south', 'east', 'west'] as const;

/** Sums of the implied probabilities of a book's prices. */
const overround: Record<string, number> = { north: 1.03, south: 1.038, east: 1.046, west: 1.055 };

/** Minutes before the start at which the provider is read. */
export const captures = [1500, 186, 150, 60, 5] as const;
/** Minutes before the start at which what the market expects is known. */
export const instants = [...captures, 180, 100, 2, 0].sort((a, b) => b - a);
/** The capture that bettors read before they post, in minutes before the start. */
export const postingCapture = 186;
/** Captures with spreads and totals beside the moneyline. */
const whole = new Set<number>([1500, 186, 5]);

/** Standard deviations in points: of a score around what the market last expected, and of a day's moves of it. */
const margin = { score: 12, move: 1.8 };
const sum = { score: 18, move: 2.8 };

/** Standard deviation between books and captures, in log odds. */
const noise = 0.012;

/** Days, and games per day. */
const days = 40;
export const gamesADay = 10;

const letters = (index: number) =>
  [...String(index).padStart(3, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('');

/** Returns the name of a game of which a bettor has its own. Only letters distinguish teams. */
export function nameIn({ name, index }: FairGame, sport: string, owner: number): FairGame['name'] {
  const own = `${letters(owner)} ${letters(index)}`;
  return { ...name, sport, game: `Away ${own} @ Home ${own}` };
}

/** Draws a season that ends before an instant. Each day's games start together at 18:00 Eastern standard time. */
export function fairSeason(seed: number, lastStart: number): FairGame[] {
  const random = seeded(seed);
  return Array.from({ length: days * gamesADay }, (_, index) =>
    fairGame(random, index, lastStart - (days - 1 - Math.floor(index / gamesADay)) * day),
  );
}

function fairGame(random: Random, index: number, start: number): FairGame {
  const walk = (first: number, move: number) => {
    const values = new Map<number, number>();
    let value = first;
    instants.forEach((before, at) => {
      const since = at === 0 ? 0 : instants[at - 1]! - before;
      value += normal(random) * move * Math.sqrt(since / 1440);
      values.set(before, value);
    });
    return values;
  };
  const lead = walk(normal(random) * 5, margin.move);
  const points = walk(222 + normal(random) * 5, sum.move);
  const chance: FairGame['chance'] = ({ market, side, line }, before) => {
    const [at, deviation] =
      market === 'total' ? [points.get(before)!, sum.score] : [lead.get(before)!, margin.score];
    const isFirst = side === 'home' || side === 'over';
    const given = market === 'total' ? -line! : isFirst ? (line ?? 0) : -(line ?? 0);
    // A quarter line is half on each of the two nearest half lines; on a whole line, the score nearest to it is a push.
    const halves = given % 0.5 === 0 ? [given] : [given - 0.25, given + 0.25];
    const above = (points: number) => phi((at + points) / deviation);
    const ends = halves.map((half) => {
      const push = market === 'moneyline' || half % 1 !== 0 ? 0 : 0.5;
      return { wins: above(half - push), losses: 1 - above(half + push) };
    });
    const [wins, losses] = [
      ends.reduce((n, end) => n + end.wins, 0),
      ends.reduce((n, end) => n + end.losses, 0),
    ];
    return (isFirst ? wins : losses) / (wins + losses);
  };
  const lines = { spread: Math.round(-lead.get(1500)!) + 0.5, total: Math.round(points.get(1500)!) + 0.5 };
  const error = { book: oneOf(random, books), side: oneOf(random, ['home', 'away'] as const) };
  const quotes = captures.flatMap((before) =>
    books.flatMap((book) =>
      contestsAt(before, book, lines).flatMap(([one, other]) => {
        const shift = Math.exp(normal(random) * noise);
        const p = chance(one, before);
        const first = (p * shift) / (p * shift + 1 - p);
        return [
          { ...one, p: first },
          { ...other, p: 1 - first },
        ].map(({ p: fair, ...selection }): Quote => {
          const errs =
            before === postingCapture &&
            selection.market === 'moneyline' &&
            selection.side === error.side &&
            book === error.book;
          const implied = Math.min(0.985, fair * overround[book]! * (errs ? 0.75 : 1));
          return { ...selection, book, oddsAmerican: american(implied), at: start - before * minute };
        });
      }),
    ),
  );
  const ahead = lead.get(0)! + normal(random) * margin.score;
  const difference = Math.round(ahead) || Math.sign(ahead);
  const wanted = points.get(0)! + normal(random) * sum.score;
  const homeScore = Math.max(1, Math.round((wanted + difference) / 2));
  return {
    index,
    name: { sport: 'nba', game: `Away ${letters(index)} @ Home ${letters(index)}`, startsAt: iso(start) },
    start,
    quotes,
    error,
    homeScore,
    awayScore: homeScore - difference,
    chance,
  };
}

/** Returns the pairs of opposite bets that a book prices at a capture. Two books have further spreads, which make a bet easier. */
function contestsAt(before: number, book: string, lines: { spread: number; total: number }) {
  const spread = (line: number): [Selection, Selection] => [
    { market: 'spread', side: 'home', line },
    { market: 'spread', side: 'away', line: -line },
  ];
  const moneyline: [Selection, Selection] = [
    { market: 'moneyline', side: 'home', line: null },
    { market: 'moneyline', side: 'away', line: null },
  ];
  if (!whole.has(before)) return [moneyline];
  const total: [Selection, Selection] = [
    { market: 'total', side: 'over', line: lines.total },
    { market: 'total', side: 'under', line: lines.total },
  ];
  const further =
    before !== 1500 && (book === 'north' || book === 'south')
      ? [14, 6, 0.5, 0.25].map((more) => spread(lines.spread + more))
      : [];
  return [moneyline, spread(lines.spread), total, ...further];
}

export function american(implied: number): number {
  const odds = implied >= 0.5 ? (-100 * implied) / (1 - implied) : (100 * (1 - implied)) / implied;
  return Math.abs(odds) <= 100 ? 100 : Math.round(odds);
}

export const decimal = (odds: number) => (odds > 0 ? 1 + odds / 100 : 1 - 100 / odds);

/** Returns a quote as a row of a price. */
export function lineOf({ name }: FairGame, { at, ...quote }: Quote): LineRow {
  return { ...name, ...quote, capturedAt: iso(at) };
}

/** Returns a book's prices in the last snapshot before an instant, in minutes before the start, of one market or all. */
export function latest({ quotes, start }: FairGame, before: number, market?: string): Quote[] {
  const known = quotes.filter(
    (quote) => quote.at <= start - before * minute && (!market || quote.market === market),
  );
  const last = Math.max(...known.map(({ at }) => at));
  return known.filter(({ at }) => at === last);
}
