import { shownFloat, shownRatio } from './rounding.ts';

export type ValueCount = readonly [value: number, count: number];

/**
 * Returns a percentile by linear interpolation between closest ranks ("type 7"). Takes values with counts, as grouped queries return them;
 * `null` without values.
 *
 * @param sorted ascending by value; counts above 0
 */
export function percentileOfCounts(sorted: readonly ValueCount[], p: number): number | null {
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const at = (rank: number): number => {
    let upTo = 0;
    for (const [value, count] of sorted) {
      upTo += count;
      if (rank < upTo) return value;
    }
    throw new RangeError(`rank ${rank} is beyond ${total} values`);
  };
  const position = (total - 1) * p;
  const rank = Math.floor(position);
  const low = at(rank);
  return rank === position ? low : low + (position - rank) * (at(rank + 1) - low);
}

export type ClvSummary = ReturnType<typeof clvSummary>;

/** Returns the mean, median, and quartiles of CLV values in basis points, with 1 decimal; `null` if there are none. @param sorted ascending by value */
export function clvSummary(sorted: readonly ValueCount[]) {
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
    /** Number above 0: the odds taken beat the closing odds. */
    beatSample: countOf((value) => value > 0),
    evenSample: countOf((value) => value === 0),
    meanBps: sample === 0 ? null : shownRatio(total, sample, 1),
    medianBps: shown(0.5),
    p25Bps: shown(0.25),
    p75Bps: shown(0.75),
  };
}

/** The number of CLV values in `fromBps <= clv < toBps`; `null` is an open end. */
export interface HistogramBin {
  fromBps: number | null;
  toBps: number | null;
  count: number;
}

const width = 100;
const lowest = -1000;
const highest = 1000;

/**
 * Returns the CLV histogram, in ascending order: bins of 100 bps from -1000 to 1000 and two open ends, including empty ones. A bin includes
 * its lower edge and excludes its upper one.
 */
export function clvHistogram(values: Iterable<ValueCount>): HistogramBin[] {
  const bins: HistogramBin[] = [{ fromBps: null, toBps: lowest, count: 0 }];
  for (let from = lowest; from < highest; from += width)
    bins.push({ fromBps: from, toBps: from + width, count: 0 });
  bins.push({ fromBps: highest, toBps: null, count: 0 });
  for (const [value, count] of values) {
    const index = 1 + Math.floor((value - lowest) / width);
    bins[Math.min(bins.length - 1, Math.max(0, index))]!.count += count;
  }
  return bins;
}
