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
  // Highest first; of equal ones, the first book by name.
  offers.sort((a, b) => pays(b, a) || (a.book < b.book ? -1 : 1));
  if (offers.length === 0) {
    const none = { oddsAmerican: null, book: null, capturedAt: null };
    return hasProvider
      ? { verdict: 'unseen', ...none, countedAmerican: null }
      : { verdict: 'unchecked', ...none, countedAmerican: pick.oddsAmerican };
  }
  const cap = offers[Math.min(1, offers.length - 1)]!;
  const own = offers.slice(1).find(({ book }) => book === pick.book);
  const { oddsAmerican, book, capturedAt } = own ?? cap;
  const isAbove = compare(decimalOdds(pick.oddsAmerican), decimalOdds(oddsAmerican)) > 0;
  return {
    verdict: isAbove ? 'above_market' : 'available',
    oddsAmerican,
    book,
    capturedAt,
    countedAmerican: isAbove ? oddsAmerican : pick.oddsAmerican,
  };
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
