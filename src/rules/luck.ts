import { normalBelow } from './margin-model.ts';
import { decimalOf, netUnitsE4 } from './odds.ts';

export interface PlayedPick {
  pickUuid: string;
  oddsAmerican: number;
  stakeE4: number;
}

/** The results of records without skill at the same odds and stakes (docs/rules/luck.md). Net units in ten-thousandths. */
export interface Luck {
  /** Returns the probability that a record ends with at least these net units. */
  endsAsHigh(netE4: number): number;
  /** Returns the probability that a record's maximum drawdown is at least this deep. */
  fallsAsDeep(fallE4: number): number;
  /** The median and the 95th percentile of the maximum drawdown. */
  fallMedian: number;
  fallHigh: number;
  /** The middle 95% of final net units. */
  whole: Band;
  /** The middle 95% at each of the requested numbers of picks, counted from 0 units at `from`. */
  bands: Band[];
}

interface Band {
  low: number;
  high: number;
}

export const simulations = 2_000;

/**
 * Above this number of picks, a skewness-corrected normal approximation replaces the simulation. Its coverage is within a percentage point.
 */
export const maxSimulated = 1_000;

/**
 * Computes the effect of chance on a record in which each pick wins at its break-even.
 * @param picks in the order in which they settled
 * @param ends the numbers of picks at which bands are requested, ascending
 * @param from the number of picks after which the bands begin, at 0 units
 */
export function luckOf(picks: readonly PlayedPick[], ends: readonly number[], from: number): Luck {
  if (picks.length <= maxSimulated) return simulated(picks, ends, from);
  const shown = picks.slice(from);
  const shownEnds = ends.map((end) => end - from);
  const { bands } =
    shown.length <= maxSimulated ? simulated(shown, shownEnds, 0) : byNormal(shown, shownEnds);
  return { ...byNormal(picks, []), bands };
}

function simulated(picks: readonly PlayedPick[], ends: readonly number[], from: number): Luck {
  const draws = new Uint32Array(simulations);
  const sums = new Float64Array(simulations);
  const peaks = new Float64Array(simulations);
  const falls = new Float64Array(simulations);
  const base = new Float64Array(simulations);
  const bands: Band[] = [];
  let next = 0;
  for (let index = 0; index <= picks.length; index += 1) {
    if (index === from) base.set(sums);
    for (; ends[next] === index; next += 1) bands.push(bandOf(sums.map((sum, each) => sum - base[each]!)));
    const pick = picks[index];
    if (pick === undefined) break;
    fillDraws(pick.pickUuid, draws);
    const wins = winsBelow(pick.oddsAmerican);
    const gain = netUnitsE4('win', pick.stakeE4, pick.oddsAmerican);
    for (let each = 0; each < simulations; each += 1) {
      const sum = sums[each]! + (draws[each]! < wins ? gain : -pick.stakeE4);
      const peak = peaks[each]!;
      sums[each] = sum;
      if (sum > peak) peaks[each] = sum;
      else if (peak - sum > falls[each]!) falls[each] = peak - sum;
    }
  }
  const share = (values: Float64Array, limit: number) =>
    values.reduce((count, value) => count + (value >= limit ? 1 : 0), 0) / simulations;
  const sortedFalls = falls.toSorted();
  return {
    // Equal records differ by their picks' rounding: two halves at -110 win 0.9090 units, a whole one wins 0.9091.
    endsAsHigh: (netE4) => share(sums, netE4 - picks.length),
    fallsAsDeep: (fallE4) => share(falls, fallE4 - picks.length),
    whole: bandOf(sums),
    fallMedian: sortedFalls[simulations / 2 - 1]!,
    fallHigh: sortedFalls[0.95 * simulations - 1]!,
    bands,
  };
}

/** Returns the middle 95% of simulated sums, without the 50 lowest and 50 highest. */
function bandOf(sums: Float64Array): Band {
  const sorted = sums.toSorted();
  const beyond = 0.025 * simulations;
  return { low: sorted[beyond]!, high: sorted[simulations - 1 - beyond]! };
}

/** The 97.5% quantile of the normal distribution, rounded as in docs/rules/records.md#yield. */
const z = 1.96;

/**
 * Approximates by the normal distribution with a correction for skewness (Cornish and Fisher, 1938), because long shots win rarely but
 * much. The maximum drawdown is distributed like the maximum distance of a Brownian motion from 0 (Lévy's theorem: `max B - B` has the
 * distribution of `|B|`).
 */
function byNormal(picks: readonly PlayedPick[], ends: readonly number[]): Luck {
  let [variance, skew] = [0, 0];
  const bands: Band[] = [];
  let next = 0;
  for (let index = 0; index <= picks.length; index += 1) {
    for (; ends[next] === index; next += 1) bands.push(bandOfMoments(variance, skew));
    const pick = picks[index];
    if (pick === undefined) break;
    const { num, den } = decimalOf(pick.oddsAmerican);
    const [stake, profit] = [pick.stakeE4, num / den - 1];
    variance += stake * stake * profit;
    skew += stake ** 3 * profit * (profit - 1);
  }
  const deviation = Math.sqrt(variance);
  const skewness = skew / deviation ** 3;
  return {
    endsAsHigh(netE4) {
      const at = netE4 / deviation;
      // Edgeworth's first term; the quantiles above are its inverse.
      const density = Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI);
      return Math.min(1, Math.max(0, 1 - normalBelow(at) + (skewness / 6) * (at * at - 1) * density));
    },
    fallsAsDeep: (fallE4) => 1 - staysWithin(fallE4 / deviation),
    whole: bandOfMoments(variance, skew),
    fallMedian: deviation * fallQuantiles.median,
    fallHigh: deviation * fallQuantiles.high,
    bands,
  };
}

function bandOfMoments(variance: number, skew: number): Band {
  if (variance === 0) return { low: 0, high: 0 };
  const deviation = Math.sqrt(variance);
  const shift = ((z * z - 1) * skew) / (6 * variance);
  return { low: shift - z * deviation, high: shift + z * deviation };
}

/** Returns the probability that a Brownian motion stays within `x` of 0 for one unit of time. */
function staysWithin(x: number): number {
  if (x <= 0) return 0;
  let sum = 0;
  for (let odd = 1, sign = 1; ; odd += 2, sign = -sign) {
    const term = Math.exp(-(odd * odd * Math.PI * Math.PI) / (8 * x * x)) / odd;
    sum += sign * term;
    if (term < 1e-12) return Math.max(0, Math.min(1, (4 / Math.PI) * sum));
  }
}

/** Arguments at which {@link staysWithin} is 50% and 95%. */
const fallQuantiles = { median: 1.148973, high: 2.241403 } as const;

/**
 * Fills `draws` with a pick's random 32-bit numbers, by xoshiro128** (Blackman and Vigna, Scrambled Linear Pseudorandom Number Generators,
 * 2021), seeded with its UUID. A pick has the same numbers in every simulation, and anyone with the log can reproduce them
 * (docs/rules/luck.md).
 */
export function fillDraws(pickUuid: string, draws: Uint32Array): void {
  const hex = pickUuid.replaceAll('-', '');
  const word = (index: number) => mixed(Number.parseInt(hex.slice(8 * index, 8 * index + 8), 16) + index + 1);
  let [s0, s1, s2, s3] = [word(0), word(1), word(2), word(3)];
  for (let index = -warmUp; index < draws.length; index += 1) {
    const five = Math.imul(s1, 5);
    if (index >= 0) draws[index] = Math.imul((five << 7) | (five >>> 25), 9);
    const shifted = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= shifted;
    s3 = (s3 << 11) | (s3 >>> 21);
  }
}

/** Numbers discarded at first, so that similar UUIDs give unrelated sequences. */
const warmUp = 32;

/** Mixes 32 bits bijectively: any change of the input changes about half of the output bits (the finalizer of MurmurHash3). */
function mixed(word: number): number {
  let bits = word;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** Returns the bound below which a draw wins: the break-even of the price, `1 / decimal`, in units of 2^-32. */
export function winsBelow(oddsAmerican: number): number {
  const { num, den } = decimalOf(oddsAmerican);
  return Math.round((2 ** 32 * den) / num);
}

/** A fall of net units from their highest point so far, which is 0 before the first pick. */
export interface Drawdown {
  fallE4: number;
  /** Indexes of the first pick after the highest point, and of the pick that reached the lowest. */
  from: number;
  to: number;
}

/**
 * Returns the deepest fall, the first of equal ones; `undefined` if net units never fell.
 * @param netE4 net units of each pick, in ten-thousandths
 */
export function deepestDrawdown(netE4: readonly number[]): Drawdown | undefined {
  let deepest: Drawdown | undefined;
  let [sum, peak, from] = [0, 0, 0];
  netE4.forEach((net, index) => {
    sum += net;
    if (sum >= peak) [peak, from] = [sum, index + 1];
    else if (peak - sum > (deepest?.fallE4 ?? 0)) deepest = { fallE4: peak - sum, from, to: index };
  });
  return deepest;
}
