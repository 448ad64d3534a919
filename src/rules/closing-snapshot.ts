import { marketNamed } from './markets/index.ts';
import { compareAmerican, compareRatios, decimalGap, type Ratio } from './odds.ts';

/** A price of one side, from one book at one instant. Functions here take rows of a single game and market. */
export interface PriceRow {
  book: string;
  side: string;
  /** The side's line in thousandths; `null` in markets without lines. */
  lineE3: number | null;
  oddsAmerican: number;
  /** Epoch milliseconds. */
  capturedAt: number;
  /** Whether the book marks it as its closing price. */
  closing: boolean;
}

/** A book's closing snapshot of one game and market: each side's price by the market's line ({@link marketLine}). */
export interface Snapshot {
  readonly capturedAt: number;
  readonly lines: ReadonlyMap<number | null, ReadonlyMap<string, number>>;
}

/** Maximum age of an unmarked closing snapshot at the start: 6 hours, inclusive. */
export const closingAgeMs = 6 * 3_600_000;

/**
 * Returns the closing snapshot of each book that has one. It is the latest one up to the start with a row marked `closing`, at any age.
 * Without a marked one, it is the latest one that is at most 6 hours old at the start.
 *
 * If a snapshot has several prices of one side and line, the one that pays least counts, so the order of rows does not matter.
 *
 * @param startsAt the start as known at closing, in epoch milliseconds
 */
export function closingSnapshots(
  market: string,
  rows: readonly PriceRow[],
  startsAt: number,
): ReadonlyMap<string, Snapshot> {
  const snapshots = new Map<string, { capturedAt: number; lines: Map<number | null, Map<string, number>> }>();
  for (const [book, capturedAt] of closingInstants(rows, startsAt))
    snapshots.set(book, { capturedAt, lines: new Map() });
  for (const row of rows) {
    const snapshot = snapshots.get(row.book);
    if (snapshot === undefined || row.capturedAt !== snapshot.capturedAt) continue;
    const line = marketLine(market, row.side, row.lineE3);
    const prices = snapshot.lines.get(line) ?? new Map<string, number>();
    snapshot.lines.set(line, prices);
    const known = prices.get(row.side);
    if (known === undefined || paysLess(row.oddsAmerican, known)) prices.set(row.side, row.oddsAmerican);
  }
  return snapshots;
}

function closingInstants(rows: readonly PriceRow[], startsAt: number): Map<string, number> {
  const marked = new Map<string, number>();
  const unmarked = new Map<string, number>();
  for (const { book, capturedAt, closing } of rows) {
    if (capturedAt > startsAt || (!closing && capturedAt < startsAt - closingAgeMs)) continue;
    const latest = closing ? marked : unmarked;
    if (capturedAt > (latest.get(book) ?? -Infinity)) latest.set(book, capturedAt);
  }
  for (const [book, capturedAt] of marked) unmarked.set(book, capturedAt);
  return unmarked;
}

function paysLess(odds: number, than: number): boolean {
  return (compareAmerican(odds, than) || odds - than) < 0;
}

/**
 * Returns the line shared by a market's sides, as its declaration defines it: `null` in a market without lines, the side's own line in an
 * undeclared market.
 */
export function marketLine(market: string, side: string, lineE3: number | null): number | null {
  const declared = marketNamed(market);
  if (lineE3 === null || declared === undefined) return lineE3;
  return declared.line?.shared(side, lineE3) ?? null;
}

/** Returns a side's own line for a market's line. */
export function sideLine(market: string, side: string, line: number | null): number | null {
  return marketLine(market, side, line);
}

/**
 * Returns the main line of a snapshot for a side. It is the line at which both sides of the contest are priced and their prices are closest
 * in exact decimal odds. Ties go to the line nearest to 0, then to the smaller one (for a spread, as the home side has it). `undefined` if
 * no line has both sides, and for undeclared markets and markets without lines.
 */
export function mainLine(market: string, snapshot: Snapshot, side: string): number | undefined {
  const declared = marketNamed(market);
  if (declared === undefined || declared.line === null) return undefined;
  const [one, other] = declared.contests(2).find((sides) => sides.includes(side)) ?? [];
  if (one === undefined || other === undefined) return undefined;
  let main: { line: number; gap: Ratio } | undefined;
  for (const [line, prices] of snapshot.lines) {
    const left = prices.get(one);
    const right = prices.get(other);
    if (line === null || left === undefined || right === undefined) continue;
    const gap = decimalGap(left, right);
    if (main === undefined || before(line, gap, main.line, main.gap)) main = { line, gap };
  }
  return main?.line;
}

function before(line: number, gap: Ratio, thanLine: number, thanGap: Ratio): boolean {
  return (compareRatios(gap, thanGap) || Math.abs(line) - Math.abs(thanLine) || line - thanLine) < 0;
}
