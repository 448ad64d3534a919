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

/** Returns the fair closing probability, or null if a side is missing. */
function fairChance(bet: Bet, quotes: Quote[]): Fraction | null {
  const sides = rivals(bet.sport, bet.market, bet.side);
  if (!sides?.every((side) => quotes.some((quote) => quote.side === side))) return null;
  const implied = quotes.filter((quote) => sides.includes(quote.side));
  const total = sum(implied.map((quote) => divide(ONE, quote.decimal)));
  const own = quotes.find((quote) => quote.side === bet.side)!;
  return divide(divide(ONE, own.decimal), total);
}

/** Returns the expected value in percent against the fair closing probability. */
function edge(bet: Bet, quotes: Quote[]): number | null {
  const fair = fairChance(bet, quotes);
  if (fair === null) return null;
  return decimals(multiply(fraction(100), subtract(multiply(decimalOdds(bet.oddsAmerican), fair), ONE)), 2);
}

/** Returns the edge at a line without a closing price, by the sport's margin model. */
function movedEdge(bet: Bet, quotes: Quote[], closingLine: number | null): number | null {
  const fair = fairChance(bet, quotes);
  if (fair === null || bet.lineE3 === null || closingLine === null) return null;
  const at = (lineE3: number) => ({ ...bet, line: lineE3 / 1000 });
  const chance = carriedChance(at(closingLine), Number(fair.n) / Number(fair.d), at(bet.lineE3));
  if (chance === null) return null;
  const decimal = decimalOdds(bet.oddsAmerican);
  const percent = 100 * ((Number(decimal.n) / Number(decimal.d)) * chance - 1);
  const size = Math.round(Math.abs(percent) * 100) / 100;
  return size === 0 ? 0 : Math.sign(percent) * size;
}

/** Returns the edge, in percent, of a bet that closed at these prices and this line of its side, or null. */
export function edgeAt(
  bet: Bet,
  lineE3: number | null,
  prices: { side: string; oddsAmerican: number }[],
): number | null {
  const quotes = prices.map(({ side, oddsAmerican }) => ({
    side,
    lineE3: lineOf(bet, side, lineE3),
    decimal: decimalOdds(oddsAmerican),
  }));
  return lineE3 === bet.lineE3 ? edge(bet, quotes) : movedEdge(bet, quotes, lineE3);
}

/** Returns the consensus at the close of books that price every side at the bet's own line, or null. */
export function consensusOf(bet: Bet, prices: Price[], start: number) {
  const sides = rivals(bet.sport, bet.market, bet.side) ?? [];
  const chances = [...new Set(prices.map((price) => price.book))].flatMap((book) => {
    const snapshot = closingSnapshot(prices, book, start);
    const quotes = sides.flatMap((side) => {
      const lineE3 = lineOf(bet, side, bet.lineE3);
      const decimal = snapshot && priceAt(snapshot, side, lineE3);
      return decimal ? { side, lineE3, decimal } : [];
    });
    return fairChance(bet, quotes) ?? [];
  });
  if (chances.length === 0) return null;
  const chance = median(chances);
  return {
    books: chances.length,
    fairPct: decimals(multiply(fraction(100), chance), 2),
    edgePct: decimals(
      multiply(fraction(100), subtract(multiply(decimalOdds(bet.oddsAmerican), chance), ONE)),
      2,
    ),
  };
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
    edgePct: edgeAt(bet, closingLine, sealed),
    lineMove: lineMove(bet, closingLine),
  };
}
