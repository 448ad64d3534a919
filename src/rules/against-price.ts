import { normalBelow } from './normal.ts';
import { nearestAmerican } from './odds.ts';
import { scaleRounded, shownFloat, shownRatio } from './rounding.ts';

/** What a record is measured by against break-even: integers of a tally, over wins and losses. */
export interface PricedResults {
  wins: number;
  losses: number;
  netE4: number;
  stakedE4: number;
  breakEvenE9: number;
  breakEvenVarianceE9: number;
  netVarianceE6: number;
}

/** A record against break-even, in percent with 2 decimals; all `null` where nothing was won or lost. */
export interface AgainstPrice {
  /** The mean break-even `1 / decimal` of the prices taken: the hit rate that neither wins nor loses money at equal returns. */
  breakEvenPct: number | null;
  /** The price of that break-even, in American odds. */
  averageOddsAmerican: number | null;
  /** Hit rate less break-even, with the ends of its 95 % interval. */
  excessPct: number | null;
  excessLowPct: number | null;
  excessHighPct: number | null;
  /** The ends of the 95 % interval of the ROI. */
  roiLowPct: number | null;
  roiHighPct: number | null;
  /** How often results drawn at the break-evens have as many wins or more. */
  chancePct: number | null;
}

/** The 97.5 % quantile of the normal distribution, as docs/rules/records.md#against-break-even rounds it. */
const z = 1.96;

/** How far a hit rate is above the break-even of its prices, from -1 to 1, with the ends of its 95 % interval. */
export interface Excess {
  excess: number;
  low: number;
  high: number;
}

/**
 * With `p = 1 / decimal` of each of `n` wins and losses: `(wins - sum p) / n`, standard error `sqrt(sum p(1 - p) + 1) / n`. The 1 keeps few
 * picks, and picks at very short prices, from looking certain. `null` where nothing was won or lost.
 */
export function excessOf({ wins, losses, breakEvenE9, breakEvenVarianceE9 }: PricedResults): Excess | null {
  const n = wins + losses;
  if (n === 0) return null;
  const excess = (wins * 1e9 - breakEvenE9) / 1e9 / n;
  const error = Math.sqrt(breakEvenVarianceE9 / 1e9 + 1) / n;
  return { excess, low: excess - z * error, high: excess + z * error };
}

/**
 * Orders records by the lower end of the interval of {@link excessOf}, so that few picks do not lead; then by wins and losses. Those without
 * either come last.
 */
export function byExcess(a: PricedResults, b: PricedResults): number {
  const low = (results: PricedResults) => excessOf(results)?.low ?? -Infinity;
  const [first, second] = [low(a), low(b)];
  return first === second ? b.wins + b.losses - (a.wins + a.losses) : second - first;
}

/** A record against break-even as it is shown. */
export function againstPrice(results: PricedResults): AgainstPrice {
  const { wins, losses, netE4, stakedE4, breakEvenE9, breakEvenVarianceE9, netVarianceE6 } = results;
  const excess = excessOf(results);
  if (excess === null) return nothing;
  const n = wins + losses;
  const percent = (value: number) => shownFloat(100 * value, 2);
  // The variance of net units if each pick wins as often as its price says: what chance alone does to the ROI.
  const roi = netE4 / stakedE4;
  const roiError = Math.sqrt(netVarianceE6 / 1e6) / (stakedE4 / 1e4);
  // As many wins or more, so half a win less.
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
