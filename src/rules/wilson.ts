import { shownFloat } from './rounding.ts';

// The 97.5% quantile of the normal distribution: 95% lie within this number of deviations from the mean.
const z = 1.959963984540054;

/**
 * Returns the lower bound of the 95% Wilson score interval of a hit rate, from 0 to 1; `null` without wins and losses. Rank by this value,
 * but show {@link wilsonPct}.
 */
export function wilsonLowerBound(wins: number, losses: number): number | null {
  const n = wins + losses;
  if (n === 0) return null;
  // Without wins the bound is exactly 0, which floats would miss slightly.
  if (wins === 0) return 0;
  const rate = wins / n;
  const spread = z * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n));
  return (rate + (z * z) / (2 * n) - spread) / (1 + (z * z) / n);
}

/** Returns {@link wilsonLowerBound} in percent with 2 decimals. */
export function wilsonPct(wins: number, losses: number): number | null {
  const bound = wilsonLowerBound(wins, losses);
  return bound === null ? null : shownFloat(100 * bound, 2);
}
