import { expect } from 'chai';
import fc from 'fast-check';
import {
  clvHistogram,
  clvSummary,
  percentileOfCounts,
  type ValueCount,
} from '../../src/rules/percentiles.ts';
import * as naive from '../naive/fraction.ts';

const clvs = fc.array(fc.integer({ min: -1_500, max: 1_500 }), { maxLength: 60 });

/** Returns sorted values with their counts, from values in any order. */
function countValues(values: Iterable<number>): ValueCount[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
}

const percentile = (sorted: readonly number[], p: number) =>
  percentileOfCounts(
    sorted.map((value) => [value, 1]),
    p,
  );

describe('percentiles', () => {
  it('interpolate linearly between the closest ranks', () => {
    const sorted = [10, 20, 30, 40];
    expect([0, 0.25, 0.5, 0.75, 1].map((p) => percentile(sorted, p))).to.deep.equal([10, 17.5, 25, 32.5, 40]);
    expect(percentile([7], 0.25)).to.equal(7);
    expect(percentile([], 0.5)).to.equal(null);
  });

  it('are the same for values with counts', () => {
    fc.assert(
      fc.property(clvs, fc.double({ min: 0, max: 1, noNaN: true }), (values, p) => {
        const sorted = values.toSorted((a, b) => a - b);
        expect(percentileOfCounts(countValues(values), p)).to.equal(percentile(sorted, p));
      }),
    );
  });

  it('agree with exact fractions, shown with 1 decimal', () => {
    fc.assert(
      fc.property(clvs, (values) => {
        const summary = clvSummary(countValues(values));
        if (values.length === 0) {
          expect(summary).to.deep.equal({
            sample: 0,
            beatSample: 0,
            evenSample: 0,
            meanBps: null,
            medianBps: null,
            p25Bps: null,
            p75Bps: null,
          });
          return;
        }
        const exact = values.map((value) => naive.fraction(value));
        const at = (quarters: number) =>
          naive.decimals(naive.percentile(exact, naive.fraction(quarters, 4)), 1);
        const mean = naive.multiply(naive.sum(exact), naive.fraction(1, values.length));
        expect(summary).to.deep.equal({
          sample: values.length,
          beatSample: values.filter((value) => value > 0).length,
          evenSample: values.filter((value) => value === 0).length,
          meanBps: naive.decimals(mean, 1),
          medianBps: at(2),
          p25Bps: at(1),
          p75Bps: at(3),
        });
      }),
    );
  });

  it('round halves away from zero', () => {
    // Type 7 quartiles of 0 and 1 are 0.25 and 0.75.
    expect(clvSummary(countValues([0, 1]))).to.include({ p25Bps: 0.3, p75Bps: 0.8, meanBps: 0.5 });
    expect(clvSummary(countValues([0, -1]))).to.include({ p25Bps: -0.8, p75Bps: -0.3, meanBps: -0.5 });
  });
});

describe('the CLV histogram', () => {
  it('has 20 bins of 100 bps and two open ends, including empty ones', () => {
    const bins = clvHistogram([]);
    expect(bins).to.have.length(22);
    expect(bins[0]).to.deep.equal({ fromBps: null, toBps: -1000, count: 0 });
    expect(bins[1]).to.deep.equal({ fromBps: -1000, toBps: -900, count: 0 });
    expect(bins[20]).to.deep.equal({ fromBps: 900, toBps: 1000, count: 0 });
    expect(bins[21]).to.deep.equal({ fromBps: 1000, toBps: null, count: 0 });
  });

  it('puts a value on an edge into the bin above it', () => {
    const filled = (value: number) => {
      const bin = clvHistogram([[value, 3]]).find(({ count }) => count === 3)!;
      return [bin.fromBps, bin.toBps];
    };
    expect(filled(-1001)).to.deep.equal([null, -1000]);
    expect(filled(-1000)).to.deep.equal([-1000, -900]);
    expect(filled(-1)).to.deep.equal([-100, 0]);
    expect(filled(0)).to.deep.equal([0, 100]);
    expect(filled(999)).to.deep.equal([900, 1000]);
    expect(filled(1000)).to.deep.equal([1000, null]);
    expect(filled(9_990_000)).to.deep.equal([1000, null]);
  });

  it('counts every value in exactly one bin', () => {
    fc.assert(
      fc.property(clvs, (values) => {
        const counted = clvHistogram(countValues(values)).map(({ count }) => count);
        const expected = clvHistogram([]).map(
          ({ fromBps, toBps }) =>
            values.filter(
              (value) =>
                value >= (fromBps ?? Number.NEGATIVE_INFINITY) && value < (toBps ?? Number.POSITIVE_INFINITY),
            ).length,
        );
        expect(counted).to.deep.equal(expected);
      }),
    );
  });
});
