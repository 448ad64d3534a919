import { HOUR } from './days.ts';
import {
  compare,
  decimalOdds,
  decimals,
  distance,
  divide,
  type Fraction,
  fraction,
  median,
  multiply,
  nearestAmerican,
  nearestInteger,
  ONE,
  subtract,
  sum,
} from './fraction.ts';
import { rivals, sameContest, wholeGame } from './markets.ts';
import { carriedChance } from './scores.ts';

export interface Price {
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  capturedAt: number;
  closing: boolean;
  book: string;
  /** Whether an operator or a file entered it. Absent if it does not matter. */
  byHand?: boolean;
  storedAt?: number;
}

export interface Closing {
  oddsAmerican: number;
  /** Exact: a median may differ from the decimal of `oddsAmerican`. */
  decimal: Fraction;
  lineE3: number | null;
  book: string | null;
  capturedAt: number;
  /** All sides of the bet's contest, at the closing line, by side. */
  prices: { side: string; oddsAmerican: number }[];
  sameLine: boolean;
  clvBps: number;
  fair: Fair | null;
  edgePct: number | null;
  /** In points, positive in the bettor's favor; null for a market without a line. */
  lineMove: number | null;
}

export interface Bet {
  sport: string;
  market: string;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  book: string | null;
}

interface Quote {
  side: string;
  lineE3: number | null;
  decimal: Fraction;
}

const opposite = (lineE3: number): number => (lineE3 === 0 ? 0 : -lineE3);

/** Returns the other side's line: a spread's sides have opposite signs, all others share the line. */
const lineOf = (bet: Bet, side: string, lineE3: number | null): number | null =>
  wholeGame(bet.market) === 'spread' && side !== bet.side && lineE3 !== null ? opposite(lineE3) : lineE3;

/** Returns the lowest decimal odds of a side at a line in one snapshot. */
export function priceAt(snapshot: Price[], side: string, lineE3: number | null): Fraction | null {
  const found = snapshot
    .filter((price) => price.side === side && price.lineE3 === lineE3)
    .map((price) => decimalOdds(price.oddsAmerican))
    .sort(compare);
  return found[0] ?? null;
}

/** Returns one book's rows as snapshots (rows of one instant), oldest first. */
export function snapshotsOf(prices: Price[], book: string): Price[][] {
  const byInstant = new Map<number, Price[]>();
  for (const price of prices) {
    if (price.book !== book) continue;
    byInstant.set(price.capturedAt, [...(byInstant.get(price.capturedAt) ?? []), price]);
  }
  return [...byInstant.entries()].sort(([a], [b]) => a - b).map(([, rows]) => rows);
}

/** Returns a book's closing snapshot for a start, or null. */
export function closingSnapshot(prices: Price[], book: string, start: number): Price[] | null {
  const before = snapshotsOf(prices, book).filter((snapshot) => snapshot[0]!.capturedAt <= start);
  const marked = before.filter((snapshot) => snapshot.some((price) => price.closing));
  const fresh = before.filter((snapshot) => snapshot[0]!.capturedAt >= start - 6 * HOUR);
  return marked.at(-1) ?? fresh.at(-1) ?? null;
}

/** Returns the main line of a snapshot from the bet's side, or undefined without one. */
export function mainLine(snapshot: Price[], bet: Bet): number | null | undefined {
  if (wholeGame(bet.market) === 'moneyline') return null;
  const isSpread = wholeGame(bet.market) === 'spread';
  const sides = rivals(bet.sport, bet.market, bet.side);
  if (!sides) return undefined;
  const [first, second] = (isSpread ? ['home', 'away'] : sides) as [string, string];
  const firstLines = new Set(snapshot.filter((price) => price.side === first).map((price) => price.lineE3));
  const pairs: { lineE3: number; gap: Fraction }[] = [];
  for (const lineE3 of firstLines) {
    if (lineE3 === null) continue;
    const a = priceAt(snapshot, first, lineE3);
    const b = priceAt(snapshot, second, isSpread ? opposite(lineE3) : lineE3);
    if (a && b) pairs.push({ lineE3, gap: distance(a, b) });
  }
  pairs.sort(
    (a, b) => compare(a.gap, b.gap) || Math.abs(a.lineE3) - Math.abs(b.lineE3) || a.lineE3 - b.lineE3,
  );
  const main = pairs[0];
  if (!main) return undefined;
  return isSpread && bet.side === 'away' ? opposite(main.lineE3) : main.lineE3;
}

/** Whether a higher line (1) or a lower one (-1) is better for a bet. */
const BETTER: Record<string, number> = {
  'spread home': 1,
  'spread away': 1,
  'total under': 1,
  'total over': -1,
  'team_total home_under': 1,
  'team_total home_over': -1,
  'team_total away_under': 1,
  'team_total away_over': -1,
};

function lineMove(bet: Bet, closingE3: number | null): number | null {
  if (bet.lineE3 === null || closingE3 === null) return null;
  // In other markets the side itself says which way is better.
  const better = BETTER[`${wholeGame(bet.market)} ${bet.side}`] ?? BETTER[`total ${bet.side}`];
  if (better === undefined) return null;
  const move = (better * (bet.lineE3 - closingE3)) / 1000;
  return move === 0 ? 0 : move;
}

/** Returns the probability without the margin, by the power method; null if a side is missing or there is no margin. */
function fairChance(bet: Bet, quotes: Quote[]): number | null {
  const sides = rivals(bet.sport, bet.market, bet.side);
  if (!sides?.every((side) => quotes.some((quote) => quote.side === side))) return null;
  const implied = sides.map((side) => divide(ONE, quotes.find((quote) => quote.side === side)!.decimal));
  if (compare(sum(implied), ONE) <= 0) return null;
  const logs = implied.map(({ n, d }) => Math.log(Number(n) / Number(d)));
  // Newton's method, from where all powers are too high, on a convex function.
  let power = 1;
  for (let step = 0; step < 200; step++) {
    const powers = logs.map((log) => Math.exp(power * log));
    const excess = powers.reduce((all, one) => all + one) - 1;
    power -= excess / powers.reduce((all, one, at) => all + one * logs[at]!, 0);
  }
  const powers = logs.map((log) => Math.exp(power * log));
  return powers[sides.indexOf(bet.side)]! / powers.reduce((all, one) => all + one);
}

export interface Fair {
  /** Rounded to a billionth. */
  chance: Fraction;
  books: number;
  method: 'power' | 'margin_model';
  source: 'provider' | 'hand';
}

/** Returns the fair probability of a bet at the close: the median over the books with the whole market (docs/rules/edge.md). */
export function fairAtClose(bet: Bet, prices: Price[], start: number): Fair | null {
  const sides = rivals(bet.sport, bet.market, bet.side) ?? [];
  const snapshots = [...new Set(prices.map((price) => price.book))]
    .map((book) => closingSnapshot(prices, book, start))
    .filter((snapshot) => snapshot !== null);
  const at = (snapshot: Price[], own: number | null): number | null =>
    fairChance(
      bet,
      sides.flatMap((side) => {
        const lineE3 = lineOf(bet, side, own);
        const decimal = priceAt(snapshot, side, lineE3);
        return decimal ? { side, lineE3, decimal } : [];
      }),
    );
  const here = snapshots.map((snapshot) => at(snapshot, bet.lineE3)).filter((chance) => chance !== null);
  const carry = (snapshot: Price[]) => {
    const main = mainLine(snapshot, bet);
    if (main === undefined || main === null || bet.lineE3 === null) return [];
    const chance = at(snapshot, main);
    const on = (lineE3: number) => ({ ...bet, line: lineE3 / 1000 });
    return (chance === null ? null : carriedChance(on(main), chance, on(bet.lineE3))) ?? [];
  };
  const chances = (here.length > 0 ? here : snapshots.flatMap(carry)).sort((a, b) => a - b);
  if (chances.length === 0) return null;
  const half = chances.length / 2;
  const median = (chances[Math.ceil(half) - 1]! + chances[Math.floor(half)]!) / 2;
  return {
    chance: fraction(Math.round(median * 1e9), 1e9),
    books: chances.length,
    method: here.length > 0 ? 'power' : 'margin_model',
    source: prices.some((price) => price.byHand) ? 'hand' : 'provider',
  };
}

/** Returns the expected value of odds in percent at a fair probability. */
export function edgeAt(oddsAmerican: number, fair: Fair | null): number | null {
  if (fair === null) return null;
  return decimals(
    multiply(fraction(100), subtract(multiply(decimalOdds(oddsAmerican), fair.chance), ONE)),
    2,
  );
}

/** `round(10000 * (posted / closing - 1))`, halves away from zero. */
export const clvBps = (oddsAmerican: number, closing: Fraction): number =>
  nearestInteger(multiply(fraction(10_000), subtract(divide(decimalOdds(oddsAmerican), closing), ONE)));

/** Returns the closing of a bet from the known prices of its game and market (docs/rules/closing.md), or null if it is missing. */
export function closingOf(bet: Bet, prices: Price[], start: number): Closing | null {
  const books = bet.book === null ? [...new Set(prices.map((price) => price.book))] : [bet.book];
  let used = books
    .map((book) => closingSnapshot(prices, book, start))
    .filter((snapshot) => snapshot !== null);
  let lineE3: number | null | undefined = bet.lineE3;
  used = bet.book === null ? used.filter((snapshot) => priceAt(snapshot, bet.side, bet.lineE3)) : used;
  const first = used[0];
  if (!first) return null;
  if (bet.book !== null && !priceAt(first, bet.side, bet.lineE3)) lineE3 = mainLine(first, bet);
  if (lineE3 === undefined) return null;

  const closingLine = lineE3;
  const sides = [...new Set(used.flat().map((price) => price.side))].sort();
  const quotes: Quote[] = [];
  for (const side of sides.filter((one) => sameContest(bet.market, one, bet.side))) {
    const line = lineOf(bet, side, closingLine);
    const found = used.map((snapshot) => priceAt(snapshot, side, line)).filter((price) => price !== null);
    if (found.length > 0) quotes.push({ side, lineE3: line, decimal: median(found) });
  }
  const own = quotes.find((quote) => quote.side === bet.side);
  if (!own) return null;
  const sameLine = closingLine === bet.lineE3;
  const shown = (quote: Quote): number => {
    if (bet.book === null) return nearestAmerican(quote.decimal);
    const lowest = first
      .filter((price) => price.side === quote.side && price.lineE3 === quote.lineE3)
      .filter((price) => compare(decimalOdds(price.oddsAmerican), quote.decimal) === 0);
    // Even money is -100 and +100. If a book offers both, -100 is shown.
    return Math.min(...lowest.map((price) => price.oddsAmerican));
  };
  const fair = fairAtClose(bet, prices, start);
  const sealed = quotes.map((quote) => ({ side: quote.side, oddsAmerican: shown(quote) }));
  return {
    oddsAmerican: shown(own),
    decimal: own.decimal,
    lineE3: closingLine,
    book: bet.book,
    capturedAt: Math.max(...used.map((snapshot) => snapshot[0]!.capturedAt)),
    prices: sealed,
    sameLine,
    clvBps: clvBps(bet.oddsAmerican, own.decimal),
    fair,
    edgePct: edgeAt(bet.oddsAmerican, fair),
    lineMove: lineMove(bet, closingLine),
  };
}
