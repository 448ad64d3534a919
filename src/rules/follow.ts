import { compareAmerican } from './odds.ts';
import { type FoundPrice, referenceAmong } from './price-check.ts';

/** Minutes after posting at which followers bet (docs/rules/records.md#the-followers-price). */
export const followDelays = [5, 15, 60] as const;
export type FollowDelay = (typeof followDelays)[number];

const minuteMs = 60_000;

/** Time that a follower looks for a price: 15 minutes, inclusive. */
const windowMs = 15 * minuteMs;

/** Time after posting at which the last follower stops looking, in ms. */
export const followedForMs = Math.max(...followDelays) * minuteMs + windowMs;

/** Returns when a follower looks for a price, in epoch milliseconds, both ends included. */
export function followWindow(postedAt: number, delay: FollowDelay): { from: number; until: number } {
  const from = postedAt + delay * minuteMs;
  return { from, until: from + windowMs };
}

/** One book's prices of the selection at one instant. */
export interface FollowSnapshot {
  book: string;
  /** Epoch milliseconds. */
  capturedAt: number;
  /** American odds of the pick's side and line; empty if the book did not price them. */
  odds: readonly number[];
}

/** `missed`: a book showed the market without the selection, or the game had started. `null`: unknown, since no book was read. */
export type FollowedPrice = FoundPrice | 'missed' | null;

/**
 * Returns the price that could be had `delay` minutes after a pick, among each book's first snapshot within the window and before the start:
 * the highest, but never above the second highest. A book whose first snapshot does not price the selection is left out.
 *
 * If a snapshot has several prices of the selection, the one that pays least counts. Equal odds go to the first book by name.
 *
 * @param snapshots of the pick's game, market, and subject, in any order; those of one book and instant are merged
 * @param startsAt the start; with `null`, nothing is known to be before it
 */
export function followerPrice(
  snapshots: readonly FollowSnapshot[],
  { postedAt, startsAt }: { postedAt: number; startsAt: number | null },
  delay: FollowDelay,
): FollowedPrice {
  if (startsAt === null) return null;
  const { from, until } = followWindow(postedAt, delay);
  if (from >= startsAt) return 'missed';
  const first = new Map<string, FollowSnapshot>();
  for (const snapshot of snapshots) {
    const { book, capturedAt } = snapshot;
    if (capturedAt < from || capturedAt > until || capturedAt >= startsAt) continue;
    const known = first.get(book);
    if (known === undefined || capturedAt < known.capturedAt) first.set(book, snapshot);
    else if (capturedAt === known.capturedAt)
      first.set(book, { ...known, odds: [...known.odds, ...snapshot.odds] });
  }
  const prices = [...first.values()].flatMap(({ book, capturedAt, odds }) => {
    const [oddsAmerican] = odds.toSorted((a, b) => compareAmerican(a, b) || a - b);
    return oddsAmerican === undefined ? [] : [{ oddsAmerican, book, capturedAt }];
  });
  return referenceAmong(prices, null) ?? (first.size === 0 ? null : 'missed');
}
