import type { PriceRow } from './closing-snapshot.ts';
import { followDelays, followWindow } from './follow.ts';

/**
 * Time after a game's end during which all of its prices are kept: 7 days, because late prices still arrive
 * (docs/rules/closing.md#prices-that-are-kept).
 */
export const keptWholeMs = 7 * 86_400_000;

/** The lookups of a market's prices that must keep their results. */
export interface PriceLookups {
  /** Every start that the game has had, in epoch milliseconds. */
  starts: readonly number[];
  /** The last price ids that the game's closings and settlements used. */
  lastIds: readonly number[];
  /** Post times of live picks on the game, in epoch milliseconds. */
  postedAt: readonly number[];
  followed: readonly FollowedPick[];
}

export interface FollowedPick {
  subject: string | null;
  postedAt: EpochMs;
  /** The last price id that its settlement used; `Infinity` while it is pending. */
  lastId: number;
}

/**
 * Returns redundant prices of one game and market: those of snapshots that equal both the previous and the next snapshot of their book.
 * Removing them changes no answer about the game. They include no closing snapshot at any start and any stage of the stored prices, no
 * change of a price, no price around a posting that a price check could find, and no follower's price.
 * @param rows ids ascend in the order of storing; `Infinity` means not stored yet
 */
export function repeatedPrices<
  Row extends PriceRow & { id: number; subject: string | null; byHand: boolean; storedAt: number },
>(rows: readonly Row[], { starts, lastIds, postedAt, followed }: PriceLookups): Row[] {
  // A price entered by hand never replaces a provider's price.
  const books = Map.groupBy(rows, ({ book, byHand }) => `${book} ${byHand}`);
  return [...books.values()].flatMap((own) => {
    const instants = Map.groupBy(own, ({ capturedAt }) => capturedAt);
    const snapshots = [...instants]
      .sort(([one], [other]) => one - other)
      .map(([at, prices]) => ({
        at,
        prices,
        shown: shown(prices),
        stages: new Set(prices.map((row) => stageOf(row, starts))),
      }));
    const found = foundByFollowers(own, followed);
    return snapshots.flatMap((snapshot, index) => {
      const [before, after] = [snapshots[index - 1], snapshots[index + 1]];
      if (before?.shown !== snapshot.shown || after?.shown !== snapshot.shown) return [];
      if (before.stages.union(snapshot.stages).union(after.stages).size > 1) return [];
      if (snapshot.prices.some(({ closing }) => closing) || found.has(snapshot.at)) return [];
      // It is the latest snapshot at a start.
      if (starts.some((start) => snapshot.at <= start && start < after.at)) return [];
      if (postedAt.some((at) => before.at <= at && at < after.at)) return [];
      // A closing or settlement used it before both snapshots that it repeats were stored.
      const first = firstId(snapshot.prices);
      const last = Math.max(lastId(before.prices), lastId(after.prices));
      if (lastIds.some((id) => first <= id && id < last)) return [];
      return snapshot.prices;
    });
  });
}

/** Returns after how many starts a price by hand was stored, because it counts only for later ones; 0 for a provider's. */
function stageOf(
  { byHand, storedAt }: { byHand: boolean; storedAt: number },
  starts: readonly number[],
): number {
  return byHand ? starts.filter((start) => start <= storedAt).length : 0;
}

/** Returns the instants of one book's snapshots that gave followers' prices, out of the prices that each settlement used. */
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

/** Returns the subjects, sides, lines, and odds of a snapshot as one text. */
function shown(prices: readonly (PriceRow & { subject: string | null })[]): string {
  const texts = prices.map(({ subject, side, lineE3, oddsAmerican }) =>
    JSON.stringify([subject, side, lineE3, oddsAmerican]),
  );
  return [...new Set(texts)].sort().join();
}

const firstId = (prices: readonly { id: number }[]) =>
  prices.reduce((id, row) => Math.min(id, row.id), Infinity);
const lastId = (prices: readonly { id: number }[]) => prices.reduce((id, row) => Math.max(id, row.id), 0);
