import type { PriceRow } from './closing-snapshot.ts';
import { followDelays, followWindow } from './follow.ts';

/** How long after a game's end its prices are kept whole: 7 days. Prices of the past come in late, docs/rules/closing.md#prices-that-are-kept. */
export const keptWholeMs = 7 * 86_400_000;

/** What of a market's prices somebody may look for again. */
export interface Looked {
  /** Every start that the game had, in epoch milliseconds. */
  starts: readonly number[];
  /** The last ids that closings and settlements of the game knew. */
  lastIds: readonly number[];
  /** When live picks on the game were posted, in epoch milliseconds. */
  postedAt: readonly number[];
  /** The live picks on the market. */
  followed: readonly FollowedPick[];
}

/** A live pick, for whose followers prices are looked up again. */
export interface FollowedPick {
  subject: string | null;
  /** Epoch milliseconds. */
  postedAt: number;
  /** The last id that its settlement knew; `Infinity` while it is pending. */
  lastId: number;
}

/**
 * The prices of one game and market that say nothing that others do not say: those of snapshots whose book shows the same in the snapshot
 * before and in the one after. Without them every answer about the game is the same: no closing snapshot is among them, at any start that
 * the game had and at any state of the prices that a closing knew, and no change of a price. No price check finds another price either: those
 * around each posting stay. So do those that followers of a pick found.
 * @param rows ids are in the order of storing; `Infinity` is not stored yet
 */
export function repeatedPrices<
  Row extends PriceRow & { id: number; subject: string | null; byHand: boolean },
>(rows: readonly Row[], { starts, lastIds, postedAt, followed }: Looked): Row[] {
  // What is fed by hand never stands for a provider's price.
  const books = Map.groupBy(rows, ({ book, byHand }) => `${book} ${byHand}`);
  return [...books.values()].flatMap((own) => {
    const instants = Map.groupBy(own, ({ capturedAt }) => capturedAt);
    const snapshots = [...instants]
      .sort(([one], [other]) => one - other)
      .map(([at, prices]) => ({
        at,
        prices,
        shown: shown(prices),
      }));
    const found = foundByFollowers(own, followed);
    return snapshots.flatMap((snapshot, index) => {
      const [before, after] = [snapshots[index - 1], snapshots[index + 1]];
      if (before?.shown !== snapshot.shown || after?.shown !== snapshot.shown) return [];
      if (snapshot.prices.some(({ closing }) => closing) || found.has(snapshot.at)) return [];
      // The latest one at a start.
      if (starts.some((start) => snapshot.at <= start && start < after.at)) return [];
      if (postedAt.some((at) => before.at <= at && at < after.at)) return [];
      // Somebody knew it, and not yet both that it repeats.
      const first = firstId(snapshot.prices);
      const last = Math.max(lastId(before.prices), lastId(after.prices));
      if (lastIds.some((id) => first <= id && id < last)) return [];
      return snapshot.prices;
    });
  });
}

/** The instants of the first snapshots that followers of picks found at a book, as far as its settlement knew them. */
function foundByFollowers(
  own: readonly (PriceRow & { id: number; subject: string | null })[],
  followed: readonly FollowedPick[],
): Set<number> {
  const found = new Set<number>();
  const bySubject = Map.groupBy(own, ({ subject }) => subject);
  for (const { subject, postedAt, lastId } of followed)
    for (const delay of followDelays) {
      const { from, until } = followWindow(postedAt, delay);
      let first = Infinity;
      for (const { id, capturedAt } of bySubject.get(subject) ?? [])
        if (id <= lastId && capturedAt >= from && capturedAt <= until) first = Math.min(first, capturedAt);
      found.add(first);
    }
  return found;
}

/** Subjects, sides, lines and odds of a snapshot as one text. */
function shown(prices: readonly (PriceRow & { subject: string | null })[]): string {
  const texts = prices.map(({ subject, side, lineE3, oddsAmerican }) =>
    JSON.stringify([subject, side, lineE3, oddsAmerican]),
  );
  return [...new Set(texts)].sort().join();
}

const firstId = (prices: readonly { id: number }[]) =>
  prices.reduce((id, row) => Math.min(id, row.id), Infinity);
const lastId = (prices: readonly { id: number }[]) => prices.reduce((id, row) => Math.max(id, row.id), 0);
