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

/** How long after the start a closing price is expected: 15 minutes. A pick without one is said to miss it from then on. */
export const closingRetryMs = 15 * 60_000;

/** Every book's closing snapshot of one game and market: made once, asked for every pick on it. */
export interface ClosingMarket {
  readonly market: string;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}

export interface PostedPick {
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  /** The book whose price it is; `null` where the pick names none. */
  book: string | null;
}

/** The price at which a pick closed. */
export interface Closing {
  oddsAmerican: number;
  /** The line of the pick's side at the close, in thousandths. */
  lineE3: number | null;
  /** `null` where it is a median over books. */
  book: string | null;
  /** When the price was seen, of a median the latest snapshot of it; epoch milliseconds. */
  capturedAt: number;
  /** All sides of the pick's contest at that line, by side; a side without a price is left out. */
  prices: SidePrice[];
  clvBps: number;
  /** Had the line not moved since the pick was posted? A moneyline never moves. */
  sameLine: boolean;
}

/** Indexes the price rows of one game and market for {@link closingOf}; `startsAt` as in {@link closingSnapshots}. */
export function closingMarket(market: string, rows: readonly PriceRow[], startsAt: number): ClosingMarket {
  return { market, snapshots: closingSnapshots(market, rows, startsAt) };
}

/**
 * The closing of one pick, or `null` where no price closes it.
 *
 * A pick that names a book takes only that book's price: at its own line, where its side's price is enough, else at the snapshot's main
 * line. A pick that
 * names none takes the median in exact decimal odds of all books that price its own line: shown as the nearest American
 * odds, while its CLV uses the exact median.
 */
export function closingOf(market: ClosingMarket, pick: PostedPick): Closing | null {
  return pick.book === null ? medianClosing(market, pick) : bookClosing(market, pick, pick.book);
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
