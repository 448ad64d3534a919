import { compareAmerican } from './odds.ts';

/** How many minutes after a pick was posted its followers bet: docs/rules/records.md#the-followers-price. */
export const followDelays = [5, 15, 60] as const;
export type FollowDelay = (typeof followDelays)[number];

const minuteMs = 60_000;

/** How long a follower looks for a price: 15 minutes, exactly 15 included. */
const lookMs = 15 * minuteMs;

/** How long after posting the last of the followers looks, in milliseconds. */
export const followedForMs = Math.max(...followDelays) * minuteMs + lookMs;

/** When a follower looks for a price, in epoch milliseconds, both ends included. */
export function followWindow(postedAt: number, delay: FollowDelay): { from: number; until: number } {
  const from = postedAt + delay * minuteMs;
  return { from, until: from + lookMs };
}

/** What one book showed at one moment. */
export interface FollowSnapshot {
  book: string;
  /** Epoch milliseconds. */
  capturedAt: number;
  /** American odds of the pick's own side and line; empty where the book did not price them. */
  odds: readonly number[];
}

export interface FollowerPrice {
  oddsAmerican: number;
  book: string;
  /** Epoch milliseconds. */
  capturedAt: number;
}

/**
 * The best price that somebody who bet `delay` minutes after a pick could get: the best one among the first snapshots of the books within
 * the window and before the start. A book whose first snapshot does not price the selection has none. `null` where no book has one.
 *
 * Of several prices of the selection in one snapshot the one that pays least counts; of books that pay the same the first by name.
 *
 * @param snapshots of the pick's game, market and subject, in any order; those of one book and moment count as one
 * @param startsAt the start; without one nothing is known to be before it
 */
export function followerPrice(
  snapshots: readonly FollowSnapshot[],
  { postedAt, startsAt }: { postedAt: number; startsAt: number | null },
  delay: FollowDelay,
): FollowerPrice | null {
  if (startsAt === null) return null;
  const { from, until } = followWindow(postedAt, delay);
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
  const [best] = prices.sort(
    (a, b) => compareAmerican(b.oddsAmerican, a.oddsAmerican) || (a.book < b.book ? -1 : 1),
  );
  return best ?? null;
}
