import { nearestAmerican } from './odds.ts';
import { scaleRounded, shownFloat, shownRatio } from './rounding.ts';

/** The sums over wins and losses that a yield needs. All are integers. A half result has half the weight of a whole one in each of them. */
export type YieldSums = ReturnType<typeof emptyYieldSums>;

export function emptyYieldSums() {
  return {
    wins: 0,
    losses: 0,
    /** Wins and losses of which half of the stake counted. */
    halves: 0,
    /** Sum of the break-evens `1 / decimal`, in billionths. */
    breakEvenE9: 0,
    /** Net units of one unit on each, in millionths. */
    flatE6: 0,
    /** Variance of those without skill: the sum of `weight^2 * (decimal - 1)`, in millionths. */
    flatVarianceE6: 0,
  };
}

export interface Yield {
  mean: number;
  low: number;
  high: number;
}

/** The 97.5% quantile of the normal distribution, rounded as in docs/rules/records.md#yield. */
const z = 1.96;

/** The standard deviation of real edges, as a fraction of the stake: what a bettor may be believed to have before any result. */
const trueEdges = 0.03;

type FlatSums = Omit<YieldSums, 'breakEvenE9'>;

const weightOf = ({ wins, losses, halves }: FlatSums) => wins + losses - halves / 2;

const around = (mean: number, error: number): Yield => ({
  mean,
  low: mean - z * error,
  high: mean + z * error,
});

/** Returns what one unit on each pick earned per unit; `null` without wins and losses. */
export function yieldOf(sums: FlatSums): Yield | null {
  const weight = weightOf(sums);
  if (weight === 0) return null;
  // The 1 keeps a few picks, and picks at very short odds, from looking certain.
  return around(sums.flatE6 / 1e6 / weight, Math.sqrt(sums.flatVarianceE6 / 1e6 + 1) / weight);
}

/** Returns a yield as believed by somebody who knows that real edges are small: a normal prior around 0 (docs/rules/records.md#yield). */
export function shrunkYield({ mean, high }: Yield): Yield {
  const [prior, noise] = [trueEdges ** 2, ((high - mean) / z) ** 2];
  return around((mean * prior) / (prior + noise), Math.sqrt(1 / (1 / prior + 1 / noise)));
}

/** Returns the lower end of the shrunk yield, by which leaderboards rank; -Infinity without wins and losses. */
export function rankedYield(sums: YieldSums): number {
  const found = yieldOf(sums);
  return found === null ? -Infinity : shrunkYield(found).low;
}

/** A yield for display, in percent with 2 decimals; all `null` without wins and losses. */
export interface ShownYield {
  /** The mean break-even, `1 / decimal`, of the odds taken, and the American odds with it. */
  breakEvenPct: number | null;
  averageOddsAmerican: number | null;
  /** One unit on each pick, half a unit on halves. */
  flatUnits: number | null;
  yieldPct: number | null;
  yieldLowPct: number | null;
  yieldHighPct: number | null;
}

export function shownYield(sums: YieldSums): ShownYield {
  const found = yieldOf(sums);
  const doubled = 2 * weightOf(sums);
  return {
    breakEvenPct: found && shownRatio(2 * sums.breakEvenE9, doubled * 10_000_000, 2),
    averageOddsAmerican:
      found && nearestAmerican({ num: 1e9, den: scaleRounded(2 * sums.breakEvenE9, doubled, 1) }),
    flatUnits: found && shownRatio(sums.flatE6, 1e6, 2),
    yieldPct: found && percent(found.mean),
    yieldLowPct: found && percent(found.low),
    yieldHighPct: found && percent(found.high),
  };
}

/** Returns a shrunk yield for display; all `null` without wins and losses. */
export function shownShrunk(sums: YieldSums) {
  const found = yieldOf(sums);
  const shrunk = found && shrunkYield(found);
  return {
    shrunkPct: shrunk && percent(shrunk.mean),
    shrunkLowPct: shrunk && percent(shrunk.low),
    shrunkHighPct: shrunk && percent(shrunk.high),
  };
}

function percent(value: number): number {
  return shownFloat(100 * value, 2);
}
