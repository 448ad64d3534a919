import { breakEvenOf } from './odds.ts';

/** The results that count towards streaks: pushes and voids neither break a streak nor count. docs/rules/records.md#streaks */
export const decidedResults = ['win', 'loss'] as const;

/** A run of wins or of losses, and its picks, the latest first. */
export interface Streak<Pick> {
  kind: 'W' | 'L';
  picks: Pick[];
  /** Whether a decided pick of the other kind came before it. If not, earlier picks may belong to it. */
  ended: boolean;
}

/**
 * Returns the streak that runs at the end of some decided picks, or undefined without any.
 * @param picks ordered by `settledAt`, `postedAt`, and `pickUuid`, the latest first
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

/** A run of consecutive losses; pushes and voids slide through, as in docs/rules/records.md#streaks. */
export interface LosingRun {
  length: number;
  /** Its first and last pick, by index. */
  from: number;
  to: number;
}

/** The longest losing run among decided picks, of several the first; `undefined` without a loss. */
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

/** The longest losing runs that chance alone makes of some picks. */
export interface LosingRuns {
  /** How often it is so long or longer, from 0 to 1; exact. @param length at least 1 */
  asLong(length: number): number;
  /** The shortest length that is exceeded at most so often: 0.5 gives the median. */
  exceededBy(share: number): number;
}

/**
 * What chance alone loses in a row, each pick winning as often as its price breaks even.
 *
 * With `f(i)` for no run of `length` among the first `i` picks: the run ends at `i` for the first time when the pick before it won, nothing
 * before that had one, and the run's picks all lost. So `f(i) = f(i - 1) - f(i - length - 1) * win(i - length) * lost(i - length + 1 .. i)`.
 * @param odds American odds in the order in which the picks settled
 */
export function losingRuns(odds: readonly number[]): LosingRuns {
  const n = odds.length;
  const wins = new Float64Array(n);
  // Logarithms of the chance to lose all up to here: a difference of two is a run's.
  const lost = new Float64Array(n + 1);
  const none = new Float64Array(n + 1);
  odds.forEach((price, index) => {
    wins[index] = breakEvenOf(price);
    lost[index + 1] = lost[index]! + Math.log1p(-wins[index]!);
  });

  /** {@link LosingRuns.asLong}, up to the first pick with which it is above `enough`. `none` is the `f` above. */
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
      // Short runs are told apart after a few picks, so lengths are tried from below.
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
