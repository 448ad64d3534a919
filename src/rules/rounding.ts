/**
 * Returns `round(factor * num / den)`, exact, half away from zero. Uses BigInt only if a product exceeds the safe integers.
 *
 * @param num a safe integer
 * @param den a safe integer above 0
 * @param factor a safe integer above 0
 */
export function scaleRounded(num: number, den: number, factor: number): number {
  const scaled = Math.abs(num) * factor;
  if (scaled > maxExact || den > maxExact) return scaleRoundedBig(BigInt(num), BigInt(den), BigInt(factor));
  const rest = scaled % den;
  const size = (scaled - rest) / den + (rest * 2 >= den ? 1 : 0);
  return num < 0 ? 0 - size : size;
}

/** Like {@link scaleRounded}, for integers of any size. The result must be a safe integer. */
export function scaleRoundedBig(num: bigint, den: bigint, factor: bigint): number {
  const scaled = (num < 0n ? -num : num) * factor;
  const size = Number((scaled * 2n + den) / (den * 2n));
  return num < 0n ? 0 - size : size;
}

/** Returns `num / den` for display: exactly rounded to a number of decimals, half away from zero. */
export function shownRatio(num: number, den: number, decimals: number): number {
  return scaleRounded(num, den, 10 ** decimals) / 10 ** decimals;
}

/**
 * Returns a float for display: rounded to a number of decimals, half away from zero, never `-0`. A value within a billionth of a half, such
 * as 25 * 0.4674, counts as a half.
 */
export function shownFloat(value: number, decimals: number): number {
  const size = Math.round(Math.abs(value) * 10 ** decimals + 1e-9) / 10 ** decimals;
  return value < 0 ? 0 - size : size;
}

// Twice this number is still a safe integer, so comparing a doubled remainder is exact.
const maxExact = 2 ** 52;
