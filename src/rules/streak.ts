import type { Result } from './vocabulary.ts';

/** One settled pick as a streak sees it; instants in epoch milliseconds. */
export interface SettledPick {
  result: Result;
  settledAt: number;
  postedAt: number;
  pickUuid: string;
}

/** A capper's running streak. Without a win or loss yet: kind `null`, length 0, everything else `null`. */
export interface Streak {
  kind: 'W' | 'L' | null;
  length: number;
  /** When the first pick of the streak settled. */
  since: number | null;
  /** The last win or loss that was counted: when it settled, was posted, and its uuid. Pushes and voids leave it alone. */
  lastSettledAt: number | null;
  lastPostedAt: number | null;
  lastPickUuid: string | null;
}

export const noStreak: Streak = Object.freeze({
  kind: null,
  length: 0,
  since: null,
  lastSettledAt: null,
  lastPostedAt: null,
  lastPickUuid: null,
});

/** The order of settled picks: by `settledAt`, then `postedAt`, then `pickUuid` as text. */
export function compareSettled(
  a: { settledAt: number; postedAt: number; pickUuid: string },
  b: { settledAt: number; postedAt: number; pickUuid: string },
): number {
  const byTime = a.settledAt - b.settledAt || a.postedAt - b.postedAt;
  if (byTime !== 0) return byTime;
  if (a.pickUuid === b.pickUuid) return 0;
  return a.pickUuid < b.pickUuid ? -1 : 1;
}

/**
 * A streak after one more settled pick: the same kind lengthens it, the other kind starts a new one, push and void slide
 * through.
 *
 * `null` where the pick does not come after the last one counted: the streak then has to be recomputed with
 * {@link streakOf}.
 */
export function extendStreak(streak: Streak, pick: SettledPick): Streak | null {
  if (pick.result !== 'win' && pick.result !== 'loss') return streak;
  if (streak.lastSettledAt !== null && streak.lastPostedAt !== null && streak.lastPickUuid !== null) {
    const last = {
      settledAt: streak.lastSettledAt,
      postedAt: streak.lastPostedAt,
      pickUuid: streak.lastPickUuid,
    };
    if (compareSettled(last, pick) >= 0) return null;
  }
  const kind = pick.result === 'win' ? 'W' : 'L';
  const goesOn = streak.kind === kind;
  return {
    kind,
    length: goesOn ? streak.length + 1 : 1,
    since: goesOn ? streak.since : pick.settledAt,
    lastSettledAt: pick.settledAt,
    lastPostedAt: pick.postedAt,
    lastPickUuid: pick.pickUuid,
  };
}

/** The current streak of a capper from his settled picks, in any order. */
export function streakOf(picks: readonly SettledPick[]): Streak {
  const decided = picks.filter(({ result }) => result === 'win' || result === 'loss').sort(compareSettled);
  let streak = noStreak;
  for (const pick of decided) streak = extendStreak(streak, pick) ?? streak;
  return streak;
}

/** How recent a capper's last settled pick must be for the hot-streak board: 30 days. */
export const hotStreakMs = 30 * 86_400_000;
