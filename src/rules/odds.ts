import { scaleRounded, shownRatio } from './rounding.ts';
import type { Result } from './vocabulary.ts';

/** The smallest and largest absolute value of American odds that the ledger takes. */
const sizes = { min: 100, max: 100_000 } as const;

/** An exact nonnegative number `num / den`, with safe integers and `den` above 0. */
export interface Ratio {
  readonly num: number;
  readonly den: number;
}

/** Converts American odds to exact decimal odds: `1 + a/100` or `1 + 100/|a|`. */
export function decimalOf(american: number): Ratio {
  return american > 0 ? { num: 100 + american, den: 100 } : { num: 100 - american, den: -american };
}

/** Returns the implied probability `1 / decimal`, the hit rate that breaks even. */
export function breakEvenOf(american: number): number {
  const { num, den } = decimalOf(american);
  return den / num;
}

/** Returns decimal odds for display, exactly rounded to 4 decimals. */
export function shownDecimal(american: number): number {
  return american > 0 ? shownRatio(100 + american, 100, 4) : shownRatio(100 - american, -american, 4);
}

/**
 * Compares the payout of two American odds: negative if `a` pays less, positive if `b` does, 0 if equal (-100 and +100). It is exact:
 * without the gap around even money, American odds grow with the payout.
 */
export function compareAmerican(a: number, b: number): number {
  return (a > 0 ? a - 100 : a + 100) - (b > 0 ? b - 100 : b + 100);
}

/** Compares two ratios exactly: negative, 0, or positive. */
export function compareRatios(a: Ratio, b: Ratio): number {
  const left = a.num * b.den;
  const right = b.num * a.den;
  if (left <= Number.MAX_SAFE_INTEGER && right <= Number.MAX_SAFE_INTEGER) return left - right;
  const exactLeft = BigInt(a.num) * BigInt(b.den);
  const exactRight = BigInt(b.num) * BigInt(a.den);
  return exactLeft < exactRight ? -1 : Number(exactLeft > exactRight);
}

/** Returns the distance of two prices in exact decimal odds; `num` is 0 if they pay the same. */
export function decimalGap(a: number, b: number): Ratio {
  const left = decimalOf(a);
  const right = decimalOf(b);
  return { num: Math.abs(left.num * right.den - right.num * left.den), den: left.den * right.den };
}

/** Returns the median of at least one price, in exact decimal odds. For an even number it is the mean of the middle two. */
export function medianDecimal(americans: readonly number[]): Ratio {
  const sorted = americans.toSorted(compareAmerican);
  const upper = decimalOf(sorted[sorted.length >> 1]!);
  if (sorted.length % 2 === 1) return upper;
  const lower = decimalOf(sorted[(sorted.length >> 1) - 1]!);
  return { num: lower.num * upper.den + upper.num * lower.den, den: 2 * lower.den * upper.den };
}

/**
 * Returns the valid American odds closest to the given decimal odds, compared exactly. Ties go to the odds that pay less; even money is
 * +100.
 */
export function nearestAmerican({ num, den }: Ratio): number {
  const profit = num - den;
  const { min, max } = sizes;
  if (profit * max <= den * min) return -max;
  if (profit >= den) {
    const rest = (profit * 100) % den;
    const below = (profit * 100 - rest) / den;
    return Math.min(max, rest * 2 > den ? below + 1 : below);
  }
  const more = (den * 100 - ((den * 100) % profit)) / profit;
  const less = more + 1;
  // `more` pays more than the ratio and `less` pays less. Their midpoint is 50/more + 50/less.
  const middle = BigInt(den) * 50n * BigInt(more + less);
  const size = BigInt(profit) * BigInt(more) * BigInt(less) <= middle ? less : more;
  return size === min ? min : -size;
}

/**
 * Returns the closing line value in basis points: `round(10000 * (decimalPosted / decimalClosing - 1))`, exact, half away from zero.
 *
 * @param posted American odds
 * @param closing American odds, or a median of them ({@link medianDecimal})
 */
export function clvBps(posted: number, closing: number | Ratio): number {
  const taken = decimalOf(posted);
  const last = typeof closing === 'number' ? decimalOf(closing) : closing;
  const base = taken.den * last.num;
  return scaleRounded(taken.num * last.den - base, base, 10_000);
}

/**
 * Returns the net units of a settled pick in ten-thousandths, rounded exactly, half away from zero. A win gains `stake * (decimal - 1)`, a
 * loss loses the stake, and a push or void is 0. With `half`, only half of the stake counts.
 *
 * A tiny stake at the shortest odds can win less than half a ten-thousandth, which rounds to 0.
 */
export function netUnitsE4(result: Result, stakeE4: number, oddsAmerican: number, half = false): number {
  if (result === 'loss') return -countedE4(stakeE4, half);
  if (result !== 'win') return 0;
  const parts = half ? 2 : 1;
  return oddsAmerican > 0
    ? scaleRounded(stakeE4, parts * 100, oddsAmerican)
    : scaleRounded(stakeE4, parts * -oddsAmerican, 100);
}

/** Returns the part of a stake that counts, in ten-thousandths. Stakes are whole hundredths of a unit, so half of one is exact. */
export function countedE4(stakeE4: number, half: boolean): number {
  return half ? stakeE4 / 2 : stakeE4;
}
