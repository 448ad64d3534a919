import { shownFloat, shownRatio } from './rounding.ts';

/** A value and how often it occurs. */
export type ValueCount = readonly [value: number, count: number];

/**
 * A percentile by linear interpolation between closest ranks ("type 7") of values given with their counts, as a grouped query
 * returns them; `null` of none.
 *
 * @param sorted in ascending order of the values; counts above 0
 */
export function percentileOfCounts(sorted: readonly ValueCount[], p: number): number | null {
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return interpolated(total, p, (rank) => {
    let upTo = 0;
    for (const [value, count] of sorted) {
      upTo += count;
      if (rank < upTo) return value;
    }
    throw new RangeError(`rank ${rank} is beyond ${total} values`);
  });
}

function interpolated(n: number, p: number, at: (rank: number) => number): number | null {
  if (n === 0) return null;
  const place = (n - 1) * p;
  const rank = Math.floor(place);
  const low = at(rank);
  return rank === place ? low : low + (place - rank) * (at(rank + 1) - low);
}

/** The figures of a CLV distribution in basis points, each with 1 decimal; `null` of nothing. */
export interface ClvSummary {
  sample: number;
  /** How many are above 0: the price taken was better than the closing one. */
  beatSample: number;
  /** How many are exactly 0. */
  evenSample: number;
  meanBps: number | null;
  medianBps: number | null;
  p25Bps: number | null;
  p75Bps: number | null;
}

/** Mean, median and quartiles of CLV values given with their counts, ascending. */
export function clvSummary(sorted: readonly ValueCount[]): ClvSummary {
  const sample = sorted.reduce((sum, [, count]) => sum + count, 0);
  const countOf = (kept: (value: number) => boolean) =>
    sorted.reduce((sum, [value, count]) => sum + (kept(value) ? count : 0), 0);
  const total = sorted.reduce((sum, [value, count]) => sum + value * count, 0);
  const shown = (p: number): number | null => {
    const value = percentileOfCounts(sorted, p);
    return value === null ? null : shownFloat(value, 1);
  };
  return {
    sample,
    beatSample: countOf((value) => value > 0),
    evenSample: countOf((value) => value === 0),
    meanBps: sample === 0 ? null : shownRatio(total, sample, 1),
    medianBps: shown(0.5),
    p25Bps: shown(0.25),
    p75Bps: shown(0.75),
  };
}
