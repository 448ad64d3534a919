import { HOUR } from './days.ts';
import { compare, decimalOdds } from './fraction.ts';

/** A captured price. Instants are in epoch milliseconds. */
export interface Seen {
  market: string;
  subject: string | null;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  capturedAt: number;
  closing: boolean;
  book: string;
  byHand: boolean;
  storedAt: number;
}

export interface Posted {
  sport: string;
  market: string;
  subject: string | null;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  book: string | null;
  postedAt: number;
}

export interface Checked {
  verdict: 'available' | 'above_market' | 'unseen' | 'unchecked';
  oddsAmerican: number | null;
  book: string | null;
  capturedAt: number | null;
  /** The odds at which the pick counts; null: in no figure. */
  countedAmerican: number | null;
}

/** Reports whether the posted price could be had, and at what odds the pick counts: docs/rules/prices.md. */
export function priceCheckOf(
  pick: Posted,
  all: Seen[],
  { start, hasSource, hasProvider }: { start: number | null; hasSource: boolean; hasProvider: boolean },
): Checked {
  const same = all.filter(
    (price) =>
      (start === null || price.capturedAt <= start) &&
      countsForLive(price, start, hasSource) &&
      price.market === pick.market &&
      price.subject === pick.subject &&
      price.side === pick.side &&
      price.lineE3 === pick.lineE3,
  );
  const books = [...new Set(same.map(({ book }) => book))];
  const offers = books.map((book) =>
    offer(
      same.filter((price) => price.book === book),
      pick.postedAt,
    ),
  );
  if (offers.length === 0) {
    const none = { oddsAmerican: null, book: null, capturedAt: null };
    return hasProvider
      ? { verdict: 'unseen', ...none, countedAmerican: null }
      : { verdict: 'unchecked', ...none, countedAmerican: pick.oddsAmerican };
  }
  const hasLeft = (name: string) => {
    const last = lastOf(same, name, pick.postedAt);
    return (
      last < pick.postedAt - HOUR / 4 &&
      books.some((other) => lastOf(same, other, pick.postedAt) > last + HOUR / 4)
    );
  };
  const stayed = offers.filter(({ book }) => !hasLeft(book));
  const { oddsAmerican, book, capturedAt } = least([
    referenceOf(offers, pick.book),
    referenceOf(stayed, pick.book),
  ]);
  const isAbove = compare(decimalOdds(pick.oddsAmerican), decimalOdds(oddsAmerican)) > 0;
  return {
    verdict: isAbove ? 'above_market' : 'available',
    oddsAmerican,
    book,
    capturedAt,
    countedAmerican: isAbove ? oddsAmerican : pick.oddsAmerican,
  };
}

/** The offer of the pick's own book, or the highest, but at most the second highest. */
function referenceOf(offers: Seen[], own: string | null): Seen {
  // Highest first; of equal ones, the first book by name.
  const sorted = [...offers].sort((a, b) => pays(b, a) || (a.book < b.book ? -1 : 1));
  return sorted.slice(1).find(({ book }) => book === own) ?? sorted[1] ?? sorted[0]!;
}

/** When a book last priced the selection: within 15 minutes of posting, else before it or next within 6 hours, else ever. */
function lastOf(same: Seen[], name: string, postedAt: number): number {
  const times = same.filter(({ book }) => book === name).map(({ capturedAt }) => capturedAt);
  const apart = (at: number) => Math.abs(at - postedAt);
  const nearest = Math.min(...times.map(apart));
  if (nearest <= HOUR / 4) return Math.max(...times.filter((at) => apart(at) === nearest));
  const near = times.filter((at) => apart(at) <= 6 * HOUR);
  if (near.length === 0) return Math.max(...times);
  const after = near.filter((at) => at > postedAt);
  return after.length > 0 ? Math.min(...after) : Math.max(...near);
}

/** Reports whether a price can be used for a live pick. A price by hand must have been there before the start. */
export function countsForLive(
  price: { byHand?: boolean; storedAt?: number },
  start: number | null,
  hasSource: boolean,
): boolean {
  if (price.byHand === false) return true;
  return !hasSource && (start === null || (price.storedAt ?? 0) < start);
}

/** Returns what a book offered: the table of docs/rules/prices.md. */
function offer(rows: Seen[], postedAt: number): Seen {
  const apart = (row: Seen) => Math.abs(row.capturedAt - postedAt);
  const closest = [...rows].sort((a, b) => apart(a) - apart(b) || pays(a, b))[0]!;
  if (apart(closest) <= HOUR / 4) return closest;
  const near = rows.filter((row) => apart(row) <= 6 * HOUR);
  const times = (list: Seen[]) => list.map((row) => row.capturedAt);
  if (near.length === 0) return least(rows.filter((row) => row.capturedAt === Math.max(...times(rows))));
  const [before, after] = [
    near.filter((row) => row.capturedAt <= postedAt),
    near.filter((row) => row.capturedAt > postedAt),
  ];
  return least([
    ...before.filter((row) => row.capturedAt === Math.max(...times(before))),
    ...after.filter((row) => row.capturedAt === Math.min(...times(after))),
  ]);
}

const pays = (a: Seen, b: Seen): number =>
  compare(decimalOdds(a.oddsAmerican), decimalOdds(b.oddsAmerican)) || a.oddsAmerican - b.oddsAmerican;
const least = (rows: Seen[]): Seen => [...rows].sort((a, b) => pays(a, b) || a.capturedAt - b.capturedAt)[0]!;
