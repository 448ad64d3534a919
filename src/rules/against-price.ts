import { normalBelow } from './normal.ts';
import { nearestAmerican } from './odds.ts';
import { scaleRounded, shownFloat, shownRatio } from './rounding.ts';

/** The sums over wins and losses that a comparison with break-even needs. All are integers. */
export interface PricedResults {
  wins: number;
  losses: number;
  netE4: number;
  stakedE4: number;
  breakEvenE9: number;
  breakEvenVarianceE9: number;
  netVarianceE6: number;
}

/** A record compared with break-even, in percent with 2 decimals; all `null` without wins and losses. */
export interface AgainstPrice {
  /** The mean break-even, `1 / decimal`, of the odds taken. */
  breakEvenPct: number | null;
  /** The American odds with that break-even. */
  averageOddsAmerican: number | null;
  /** Hit rate minus break-even, and its 95% interval. */
  excessPct: number | null;
  excessLowPct: number | null;
  excessHighPct: number | null;
  /** The 95% interval of the ROI. */
  roiLowPct: number | null;
  roiHighPct: number | null;
  /** The probability that results drawn at the break-evens have at least this number of wins, in percent. */
  chancePct: number | null;
}

/** The 97.5% quantile of the normal distribution, rounded as in docs/rules/records.md#against-break-even. */
const z = 1.96;

/** Hit rate minus break-even, from -1 to 1, and its 95% interval. */
export interface Excess {
  excess: number;
  low: number;
  high: number;
}

/**
 * Computes `(wins - sum p) / n` with `p = 1 / decimal` of each of the `n` wins and losses. Its standard error is `sqrt(sum p(1 - p) + 1) /
 * n`. The 1 keeps few picks, and picks at very short odds, from looking certain. `null` if `n` is 0.
 */
export function excessOf({ wins, losses, breakEvenE9, breakEvenVarianceE9 }: PricedResults): Excess | null {
  const n = wins + losses;
  if (n === 0) return null;
  const excess = (wins * 1e9 - breakEvenE9) / 1e9 / n;
  const error = Math.sqrt(breakEvenVarianceE9 / 1e9 + 1) / n;
  return { excess, low: excess - z * error, high: excess + z * error };
}

/**
 * Compares records by the lower end of {@link excessOf}, so that few picks do not lead, then by the number of wins and losses. Records
 * without either come last.
 */
export function byExcess(a: PricedResults, b: PricedResults): number {
  const low = (results: PricedResults) => excessOf(results)?.low ?? -Infinity;
  const [first, second] = [low(a), low(b)];
  return first === second ? b.wins + b.losses - (a.wins + a.losses) : second - first;
}

/** Returns a record's comparison with break-even, rounded for display. */
export function againstPrice(results: PricedResults): AgainstPrice {
  const { wins, losses, netE4, stakedE4, breakEvenE9, breakEvenVarianceE9, netVarianceE6 } = results;
  const excess = excessOf(results);
  if (excess === null) return nothing;
  const n = wins + losses;
  const percent = (value: number) => shownFloat(100 * value, 2);
  // The variance of net units if each pick wins at its break-even: the effect of chance on the ROI.
  const roi = netE4 / stakedE4;
  const roiError = Math.sqrt(netVarianceE6 / 1e6) / (stakedE4 / 1e4);
  // Continuity correction for "at least this number of wins".
  const deviations = (wins - 0.5 - breakEvenE9 / 1e9) / Math.sqrt(breakEvenVarianceE9 / 1e9);
  return {
    breakEvenPct: shownRatio(breakEvenE9, n * 10_000_000, 2),
    averageOddsAmerican: nearestAmerican({ num: 1e9, den: scaleRounded(breakEvenE9, n, 1) }),
    excessPct: percent(excess.excess),
    excessLowPct: percent(excess.low),
    excessHighPct: percent(excess.high),
    roiLowPct: percent(roi - z * roiError),
    roiHighPct: percent(roi + z * roiError),
    chancePct: percent(1 - normalBelow(deviations)),
  };
}

const nothing: AgainstPrice = {
  breakEvenPct: null,
  averageOddsAmerican: null,
  excessPct: null,
  excessLowPct: null,
  excessHighPct: null,
  roiLowPct: null,
  roiHighPct: null,
  chancePct: null,
};
