import {
  closingSnapshots,
  mainLine,
  marketLine,
  type PriceRow,
  type Snapshot,
  sideLine,
} from './closing-snapshot.ts';
import type { SidePrice } from './edge.ts';
import { contestOf } from './markets/index.ts';
import { clvBps, medianDecimal, nearestAmerican } from './odds.ts';

/** Time after the start until which a closing price is expected: 15 minutes. After that, a pick without one counts as missing it. */
export const closingRetryMs = 15 * 60_000;

/** The books' closing snapshots of one game and market, computed once for all picks on it. */
export interface ClosingMarket {
  readonly market: string;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly byHand: boolean;
}

export interface PostedPick {
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  /** The book of the price; `null` if the pick names none. */
  book: string | null;
}

export interface Closing {
  oddsAmerican: number;
  lineE3: number | null;
  /** `null` for a median over books. */
  book: string | null;
  /** When the price was captured, in epoch milliseconds; for a median, its latest snapshot. */
  capturedAt: number;
  /** The prices of the pick's contest at that line, by side. Sides without a price are missing. */
  prices: SidePrice[];
  clvBps: number;
  /** Whether the line is the pick's own. Always true for a moneyline. */
  sameLine: boolean;
}

/** Indexes the prices of one game and market for {@link closingOf}. `startsAt` is as in {@link closingSnapshots}. */
export function closingMarket(
  market: string,
  rows: readonly (PriceRow & { byHand?: boolean })[],
  startsAt: number,
): ClosingMarket {
  const byHand = rows.some((row) => row.byHand === true);
  return { market, snapshots: closingSnapshots(market, rows, startsAt), byHand };
}

/**
 * Returns the closing of a pick, or `null` if no price closes it.
 *
 * A pick with a book takes only that book's price: at its own line, even if only its side is priced there, or else at the snapshot's main
 * line. A pick without a book takes the median, in exact decimal odds, of all books that price its own line. It is shown as the nearest
 * American odds, but the CLV uses the exact median.
 */
export function closingOf(market: ClosingMarket, pick: PostedPick): Closing | null {
  return pick.book === null ? medianClosing(market, pick) : bookClosing(market, pick, pick.book);
}

/**
 * Returns the prices that decide a closing: those that its books' closing snapshots have for the pick's contest at the closing line. They
 * are enough for it: {@link closingOf} of only these prices is the same.
 * @param rows the prices that `market` indexes
 */
export function closingPrices<Price extends PriceRow>(
  { market, snapshots }: ClosingMarket,
  rows: readonly Price[],
  { side }: PostedPick,
  { book, lineE3 }: Closing,
): Price[] {
  const line = marketLine(market, side, lineE3);
  return rows.filter((row) => {
    const snapshot = snapshots.get(row.book);
    const prices = snapshot?.lines.get(line);
    return (
      row.capturedAt === snapshot?.capturedAt &&
      marketLine(market, row.side, row.lineE3) === line &&
      prices?.has(side) === true &&
      prices.get(row.side) === row.oddsAmerican &&
      contestOf(market, row.side) === contestOf(market, side) &&
      (book === null || row.book === book)
    );
  });
}

function bookClosing({ market, snapshots }: ClosingMarket, pick: PostedPick, book: string): Closing | null {
  const snapshot = snapshots.get(book);
  if (snapshot === undefined) return null;
  const own = marketLine(market, pick.side, pick.lineE3);
  const sameLine = snapshot.lines.get(own)?.has(pick.side) === true;
  const line = sameLine ? own : mainLine(market, snapshot, pick.side);
  if (line === undefined) return null;
  const prices = snapshot.lines.get(line);
  const oddsAmerican = prices?.get(pick.side);
  if (prices === undefined || oddsAmerican === undefined) return null;
  return {
    oddsAmerican,
    lineE3: sideLine(market, pick.side, line),
    book,
    capturedAt: snapshot.capturedAt,
    prices: sorted(
      [...prices]
        .filter(([side]) => contestOf(market, side) === contestOf(market, pick.side))
        .map(([side, odds]) => ({ side, oddsAmerican: odds })),
    ),
    clvBps: clvBps(pick.oddsAmerican, oddsAmerican),
    sameLine,
  };
}

function medianClosing({ market, snapshots }: ClosingMarket, pick: PostedPick): Closing | null {
  const line = marketLine(market, pick.side, pick.lineE3);
  const bySide = new Map<string, number[]>();
  let capturedAt = -Infinity;
  for (const snapshot of snapshots.values()) {
    const prices = snapshot.lines.get(line);
    if (prices?.has(pick.side) !== true) continue;
    capturedAt = Math.max(capturedAt, snapshot.capturedAt);
    for (const [side, odds] of prices) {
      if (contestOf(market, side) !== contestOf(market, pick.side)) continue;
      const known = bySide.get(side);
      if (known === undefined) bySide.set(side, [odds]);
      else known.push(odds);
    }
  }
  const own = bySide.get(pick.side);
  if (own === undefined) return null;
  const median = medianDecimal(own);
  return {
    oddsAmerican: nearestAmerican(median),
    lineE3: sideLine(market, pick.side, line),
    book: null,
    capturedAt,
    prices: sorted([...bySide].map(([side, odds]) => ({ side, oddsAmerican: shownMedian(odds) }))),
    clvBps: clvBps(pick.oddsAmerican, median),
    sameLine: true,
  };
}

function shownMedian(americans: readonly number[]): number {
  return nearestAmerican(medianDecimal(americans));
}

function sorted(prices: SidePrice[]): SidePrice[] {
  return prices.sort((a, b) => (a.side < b.side ? -1 : 1));
}
