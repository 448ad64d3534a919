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
  return runChance(pricesOf(odds), length, 1);
}

/** The shortest length that chance alone exceeds at most so often: 0.5 gives the median of the longest losing run. @param odds see {@link losesInARow} */
export function runExceededBy(odds: readonly number[], share: number): number {
  const prices = pricesOf(odds);
  const isExceeded = (length: number) => length < odds.length && runChance(prices, length + 1, share) > share;
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
}

/** The chance of each pick to win, and the logarithm of the chance that all up to it lose, 0 before the first. */
interface Prices {
  wins: Float64Array;
  lost: Float64Array;
}

function pricesOf(odds: readonly number[]): Prices {
  const wins = new Float64Array(odds.length);
  const lost = new Float64Array(odds.length + 1);
  odds.forEach((price, index) => {
    wins[index] = breakEvenOf(price);
    lost[index + 1] = lost[index]! + Math.log1p(-wins[index]!);
  });
  return { wins, lost };
}

/** {@link losesInARow}, up to the first pick with which it is above `enough`. */
function runChance({ wins, lost }: Prices, length: number, enough: number): number {
  const n = wins.length;
  if (length > n) return 0;
  const none = new Float64Array(n + 1).fill(1, 0, length);
  for (let i = length; i <= n; i += 1) {
    const run = Math.exp(lost[i]! - lost[i - length]!);
    none[i] = none[i - 1]! - (i === length ? run : none[i - length - 1]! * wins[i - length - 1]! * run);
    if (1 - none[i]! > enough) return Math.min(1, 1 - none[i]!);
  }
  return Math.min(1, Math.max(0, 1 - none[n]!));
}
