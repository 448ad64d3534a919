import { breakEvenOf } from './odds.ts';

/** Results that count toward streaks. Pushes and voids neither count nor end a streak (docs/rules/records.md#streaks). */
export const decidedResults = ['win', 'loss'] as const;

/** A run of wins or losses, with its picks, latest first. */
export interface Streak<Pick> {
  kind: 'W' | 'L';
  picks: Pick[];
  /** Whether a pick of the other kind precedes it. Otherwise earlier picks could belong to it. */
  ended: boolean;
}

/**
 * Returns the current streak of decided picks, or undefined without any.
 * @param picks ordered by `settledAt`, `postedAt`, and `pickUuid`, latest first
 */
export function runningStreak<Pick extends { result: (typeof decidedResults)[number] }>(
  picks: readonly Pick[],
): Streak<Pick> | undefined {
  const [last] = picks;
  if (last === undefined) return undefined;
  const end = picks.findIndex(({ result }) => result !== last.result);
  return {
    kind: last.result === 'win' ? 'W' : 'L',
    picks: picks.slice(0, end === -1 ? undefined : end),
    ended: end !== -1,
  };
}

/** A run of consecutive losses. Pushes and voids do not end it (docs/rules/records.md#streaks). */
export interface LosingRun {
  length: number;
  /** Indexes of its first and last pick. */
  from: number;
  to: number;
}

/** Returns the longest losing run of decided picks, the first of equal ones; `undefined` without a loss. */
export function longestLosingRun(picks: readonly { won: boolean }[]): LosingRun | undefined {
  let longest: LosingRun | undefined;
  let from = 0;
  picks.forEach(({ won }, index) => {
    if (won) from = index + 1;
    else if (index + 1 - from > (longest?.length ?? 0))
      longest = { length: index + 1 - from, from, to: index };
  });
  return longest;
}

/** The distribution of the longest losing run under chance. */
export interface LosingRuns {
  /** Returns the exact probability of a run of at least `length`. @param length at least 1 */
  asLong(length: number): number;
  /** Returns the shortest length that is exceeded with a probability of at most `share`; 0.5 gives the median. */
  exceededBy(share: number): number;
}

/**
 * Returns the distribution of the longest losing run if each pick wins at its break-even.
 *
 * Let `f(i)` be the probability of no run of `length` among the first `i` picks. A run ends at `i` for the first time if all of its picks
 * lost, the pick before it won, and no run ended before that pick. So `f(i) = f(i - 1) - f(i - length - 1) * win(i - length) * lost(i -
 * length + 1 .. i)`.
 * @param odds American odds in the order in which the picks settled
 */
export function losingRuns(odds: readonly number[]): LosingRuns {
  const n = odds.length;
  const wins = new Float64Array(n);
  // Logarithms of the probability that all picks so far lose. A run's probability is the difference of two.
  const lost = new Float64Array(n + 1);
  const none = new Float64Array(n + 1);
  odds.forEach((price, index) => {
    wins[index] = breakEvenOf(price);
    lost[index + 1] = lost[index]! + Math.log1p(-wins[index]!);
  });

  /** Computes {@link LosingRuns.asLong}, but stops once the result exceeds `enough`. `none` is `f` above. */
  function chanceOf(length: number, enough: number): number {
    if (length > n) return 0;
    none.fill(1, 0, length);
    for (let i = length; i <= n; i += 1) {
      const run = Math.exp(lost[i]! - lost[i - length]!);
      none[i] = none[i - 1]! - (i === length ? run : none[i - length - 1]! * wins[i - length - 1]! * run);
      if (1 - none[i]! > enough) return Math.min(1, 1 - none[i]!);
    }
    return Math.min(1, Math.max(0, 1 - none[n]!));
  }

  return {
    asLong: (length) => chanceOf(length, 1),
    exceededBy(share) {
      const isExceeded = (length: number) => chanceOf(length + 1, share) > share;
      // Short runs are decided after a few picks, so the search starts with them.
      let high = 1;
      while (isExceeded(high)) high *= 2;
      let low = high >> 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (isExceeded(middle)) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
