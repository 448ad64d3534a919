import { marketNamed } from './markets/index.ts';
import { compareAmerican, compareRatios, decimalGap, type Ratio } from './odds.ts';

/** One price of one side, from one book at one moment. Rows of one game and market belong together. */
export interface PriceRow {
  book: string;
  side: string;
  /** The side's own line in thousandths; `null` in markets without one. */
  lineE3: number | null;
  oddsAmerican: number;
  /** Epoch milliseconds. */
  capturedAt: number;
  /** Does the book mark it as its closing price? */
  closing: boolean;
}

/** A book's closing snapshot of one game and market: by the market's line ({@link marketLine}) the price of each side. */
export interface Snapshot {
  readonly capturedAt: number;
  readonly lines: ReadonlyMap<number | null, ReadonlyMap<string, number>>;
}

/** How old an unmarked closing snapshot may be at the start: 6 hours, exactly 6 included. */
export const closingAgeMs = 6 * 3_600_000;

/**
 * The closing snapshot of every book that has one: the latest one at or before the start that holds
 * a row marked `closing`, however old; else the latest one at or before the start and not older than 6 hours.
 *
 * Of several prices of one side and line in one snapshot the one that pays least counts, so the order of rows is of no
 * account.
 *
 * @param startsAt the start as known when closing happens, in epoch milliseconds
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
 * The line under which the sides of a market meet, as its declaration says: `null` in a market without lines; in one that
 * is not declared the side's own line.
 */
export function marketLine(market: string, side: string, lineE3: number | null): number | null {
  const declared = marketNamed(market);
  if (lineE3 === null || declared === undefined) return lineE3;
  return declared.line?.shared(side, lineE3) ?? null;
}

/** The other way round: the line that a side has where the market's line is this one. */
export function sideLine(market: string, side: string, line: number | null): number | null {
  return marketLine(market, side, line);
}

/**
 * The main line of a snapshot, for one side: the one at which both sides of the side's contest are priced and their prices are nearest in
 * exact decimal odds; of equally near ones the line nearest to 0, then the smaller (of a spread: the home side's). `undefined` where no
 * line has both sides, and in markets without lines or whose sides are not known.
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
