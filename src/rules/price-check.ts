import type { PriceRow } from './closing-snapshot.ts';
import { compareAmerican } from './odds.ts';
import type { Selection } from './selection.ts';

/** Whether a live pick's odds were on offer (docs/rules/prices.md). The words are hashed, so they never change. */
export const priceVerdicts = ['available', 'above_market', 'unseen', 'unchecked'] as const;
export type PriceVerdict = (typeof priceVerdicts)[number];

export interface SeenPrice extends PriceRow, Selection {
  /** Whether an operator or a file gave the price, not a provider. */
  byHand: boolean;
  /** When the service stored it, in epoch milliseconds. `capturedAt` of a price by hand is only a claim. */
  storedAt: number;
}

export interface FoundPrice {
  oddsAmerican: number;
  book: string;
  /** Epoch milliseconds. */
  capturedAt: number;
}

/** The verdict on a pick's odds, the price they were compared with, and the odds at which the pick counts; null: in no figure. */
export type PriceCheck =
  | ({ verdict: 'available' | 'above_market'; countedAmerican: number } & FoundPrice)
  | ({ verdict: 'unseen'; countedAmerican: null } & NoPrice)
  | ({ verdict: 'unchecked'; countedAmerican: number } & NoPrice);

interface NoPrice {
  oddsAmerican: null;
  book: null;
  capturedAt: null;
}

export interface CheckedPick extends Selection {
  sport: string;
  oddsAmerican: number;
  /** The book of the odds; null if the pick names none. */
  book: string | null;
  /** Epoch milliseconds. */
  postedAt: number;
}

export interface CheckedAgainst {
  /** The start that holds, in epoch milliseconds. Prices captured later belong to another bet, so they are ignored. */
  start: number | null;
  /** Whether a provider has prices for the sport: see {@link admitted}. */
  hasSource: boolean;
  /** Whether a provider ever had a price for any sport. */
  hasProvider: boolean;
}

/** Time around posting within which a book's nearest price is what it offered: 15 minutes, inclusive. */
export const nearMs = 15 * 60_000;

/** Time around posting within which a book offered the lower of its prices before and after: 6 hours, inclusive. */
const sameDayMs = 6 * 3_600_000;

/** A day on which a provider had prices for a sport, with its first price's capture time and id. */
export interface PricedDay {
  capturedAt: number;
  lineId: number;
}

/** A sport has a price source if a provider had prices for it within this time before posting: 30 days. */
export const sourceWindowMs = 30 * 86_400_000;

/** Reports whether a pick's sport has a price source for it. @param lastLineId ignores prices with larger ids */
export function hasPriceSource(
  days: readonly PricedDay[],
  { postedAt }: Pick<CheckedPick, 'postedAt'>,
  start: number | null,
  lastLineId: number,
): boolean {
  return days.some(
    ({ capturedAt, lineId }) =>
      capturedAt >= postedAt - sourceWindowMs &&
      (start === null || capturedAt <= start) &&
      lineId <= lastLineId,
  );
}

/**
 * Returns the prices that count for a live pick: those that a provider captured up to the start, and, without a price source, those that
 * were also stored by hand before it. After the start, the result is known.
 */
export function admitted<Price extends Pick<SeenPrice, 'byHand' | 'capturedAt' | 'storedAt'>>(
  prices: readonly Price[],
  { start, hasSource }: Pick<CheckedAgainst, 'start' | 'hasSource'>,
): Price[] {
  return prices.filter(
    ({ byHand, capturedAt, storedAt }) =>
      (start === null || capturedAt <= start) &&
      !(byHand && (hasSource || (start !== null && storedAt >= start))),
  );
}

/**
 * Decides at which odds a pick counts: the lower of its own and the price that could be had (docs/rules/prices.md).
 * @param prices stored prices of the pick's market and subject, in any order; other selections are ignored
 */
export function checkPrice(
  pick: CheckedPick,
  prices: readonly SeenPrice[],
  { start, hasSource, hasProvider }: CheckedAgainst,
): PriceCheck {
  const reference = referenceAmong(offersOf(pick, prices, { start, hasSource }), pick.book);
  if (reference === null) {
    const none = { oddsAmerican: null, book: null, capturedAt: null };
    return hasProvider
      ? { verdict: 'unseen', ...none, countedAmerican: null }
      : { verdict: 'unchecked', ...none, countedAmerican: pick.oddsAmerican };
  }
  return compareAmerican(pick.oddsAmerican, reference.oddsAmerican) > 0
    ? { verdict: 'above_market', ...reference, countedAmerican: reference.oddsAmerican }
    : { verdict: 'available', ...reference, countedAmerican: pick.oddsAmerican };
}

/**
 * Returns what each book offered for a pick's selection when it was posted: the prices that decide its check. They are enough for it:
 * {@link checkPrice} of only these prices is the same.
 */
export function offersOf<Price extends SeenPrice>(
  { market, subject, side, lineE3, postedAt }: CheckedPick,
  prices: readonly Price[],
  against: Pick<CheckedAgainst, 'start' | 'hasSource'>,
): Price[] {
  const own = admitted(prices, against).filter(
    (price) =>
      price.market === market && price.subject === subject && price.side === side && price.lineE3 === lineE3,
  );
  // The package for clients runs where Map.groupBy does not exist.
  const books = new Set(own.map(({ book }) => book));
  return [...books].map((name) =>
    offerOf(
      own.filter(({ book }) => book === name),
      postedAt,
    ),
  );
}

/** Returns what a book offered for a selection when a pick was posted. @param rows its prices of the selection, at least one */
function offerOf<Price extends FoundPrice>(rows: readonly Price[], postedAt: number): Price {
  const within = (ms: number) => rows.filter(({ capturedAt }) => Math.abs(capturedAt - postedAt) <= ms);
  const near = within(nearMs);
  if (near.length > 0) {
    const apart = ({ capturedAt }: FoundPrice) => Math.abs(capturedAt - postedAt);
    const nearest = Math.min(...near.map(apart));
    return lowest(near.filter((price) => apart(price) === nearest));
  }
  const sameDay = within(sameDayMs);
  if (sameDay.length === 0) return lowest(latest(rows));
  const [after = [], before = []] = [true, false].map((isAfter) =>
    sameDay.filter(({ capturedAt }) => capturedAt > postedAt === isAfter),
  );
  const first = Math.min(...after.map(({ capturedAt }) => capturedAt));
  return lowest([...latest(before), ...after.filter(({ capturedAt }) => capturedAt === first)]);
}

function latest<Price extends FoundPrice>(rows: readonly Price[]): Price[] {
  const last = rows.reduce((at, { capturedAt }) => Math.max(at, capturedAt), Number.NEGATIVE_INFINITY);
  return rows.filter(({ capturedAt }) => capturedAt === last);
}

function lowest<Price extends FoundPrice>(rows: readonly Price[]): Price {
  return rows.toSorted((a, b) => byPayout(a, b) || a.capturedAt - b.capturedAt)[0]!;
}

/**
 * Returns the price that could be had among one of each book: that of the given book, or else the highest, but never above the second
 * highest, so that no mistaken or invented book sets anything.
 */
export function referenceAmong(offers: readonly FoundPrice[], ownBook: string | null): FoundPrice | null {
  const [highest, second = highest, ...others] = offers.toSorted(
    (a, b) => byPayout(b, a) || (a.book < b.book ? -1 : 1),
  );
  if (second === undefined) return null;
  const own = [second, ...others].find(({ book }) => book === ownBook);
  const { oddsAmerican, book, capturedAt } = own ?? second;
  return { oddsAmerican, book, capturedAt };
}

function byPayout(a: FoundPrice, b: FoundPrice): number {
  return compareAmerican(a.oddsAmerican, b.oddsAmerican) || a.oddsAmerican - b.oddsAmerican;
}

/** Returns the odds at which a pick's units are computed: posted, where it counts in no figure. */
export function countedOdds(posted: number, check: Pick<PriceCheck, 'countedAmerican'> | null): number {
  return check?.countedAmerican ?? posted;
}

/** Reports whether a pick counts in records and all figures that depend on them. Null: no check, as for imports. */
export function counts(verdict: PriceVerdict | null): boolean {
  return verdict !== 'unseen';
}
