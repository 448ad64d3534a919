import { shownFloat, shownRatio } from './rounding.ts';

/** A value and its number of occurrences. */
export type ValueCount = readonly [value: number, count: number];

/**
 * Returns a percentile by linear interpolation between closest ranks ("type 7"). Takes values with counts, as grouped queries return them;
 * `null` without values.
 *
 * @param sorted ascending by value; counts above 0
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
  const position = (n - 1) * p;
  const rank = Math.floor(position);
  const low = at(rank);
  return rank === position ? low : low + (position - rank) * (at(rank + 1) - low);
}

/** A CLV distribution in basis points, with 1 decimal; `null` if empty. */
export interface ClvSummary {
  sample: number;
  /** Number above 0: the odds taken beat the closing odds. */
  beatSample: number;
  /** Number equal to 0. */
  evenSample: number;
  meanBps: number | null;
  medianBps: number | null;
  p25Bps: number | null;
  p75Bps: number | null;
}

/** Returns the mean, median, and quartiles of CLV values. @param sorted ascending by value */
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
