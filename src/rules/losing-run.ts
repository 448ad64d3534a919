import { breakEvenOf } from './odds.ts';

/** A run of consecutive losses; pushes and voids slide through, as in docs/decisions/0010-streaks.md. */
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

/**
 * How often chance alone loses `length` picks in a row or more, each pick winning as often as its price breaks even; exact.
 *
 * With `f(i)` for no such run among the first `i` picks: the run ends at `i` for the first time when the pick before it won, nothing before
 * that had one, and the run's picks all lost. So `f(i) = f(i - 1) - f(i - length - 1) * win(i - length) * lost(i - length + 1 .. i)`.
 * @param odds American odds in the order in which the picks settled
 * @param length at least 1
 */
export function losesInARow(odds: readonly number[], length: number): number {
  const n = odds.length;
  if (length > n) return 0;
  const none = new Float64Array(n + 1).fill(1);
  // Logarithms of the chance to lose all up to here: a difference of two is a run's.
  const lost = new Float64Array(n + 1);
  const wins = (pick: number) => breakEvenOf(odds[pick - 1]!);
  for (let i = 1; i <= n; i += 1) {
    lost[i] = lost[i - 1]! + Math.log1p(-wins(i));
    if (i < length) continue;
    const run = Math.exp(lost[i]! - lost[i - length]!);
    none[i] = none[i - 1]! - (i === length ? run : none[i - length - 1]! * wins(i - length) * run);
  }
  return Math.min(1, Math.max(0, 1 - none[n]!));
}

/** The shortest length that chance alone exceeds at most so often: 0.5 gives the median of the longest losing run. @param odds see {@link losesInARow} */
export function runExceededBy(odds: readonly number[], share: number): number {
  let [low, high] = [0, odds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (losesInARow(odds, middle + 1) <= share) high = middle;
    else low = middle + 1;
  }
  return low;
}
