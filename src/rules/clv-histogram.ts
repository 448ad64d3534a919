import type { ValueCount } from './percentiles.ts';

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
