import { shownFloat } from './rounding.ts';

// The 97.5 % quantile of the normal distribution: 95 % lie within that many deviations of the mean.
const z = 1.959963984540054;

/**
 * The lower bound of the Wilson score interval (95 %) of a hit rate, from 0 to 1; `null` where nothing was won or lost
 *. Rank by this one, show {@link wilsonPct}.
 */
export function wilsonLowerBound(wins: number, losses: number): number | null {
  const n = wins + losses;
  if (n === 0) return null;
  // At no wins the bound is 0, which floats would miss by a hair.
  if (wins === 0) return 0;
  const rate = wins / n;
  const spread = z * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n));
  return (rate + (z * z) / (2 * n) - spread) / (1 + (z * z) / n);
}

/** {@link wilsonLowerBound} in percent with 2 decimals. */
export function wilsonPct(wins: number, losses: number): number | null {
  const bound = wilsonLowerBound(wins, losses);
  return bound === null ? null : shownFloat(100 * bound, 2);
}
