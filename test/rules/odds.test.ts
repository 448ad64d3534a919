import { expect } from 'chai';
import fc from 'fast-check';
import {
  clvBps,
  compareAmerican,
  compareRatios,
  decimalGap,
  decimalOf,
  medianDecimal,
  nearestAmerican,
  shownDecimal,
} from '../../src/rules/odds.ts';
import * as naive from '../naive/fraction.ts';
import { americanOdds } from './arbitraries.ts';

describe('odds', () => {
  it('are shown as decimals with 4 digits', () => {
    const examples: [american: number, decimal: number][] = [
      [150, 2.5],
      [100, 2],
      [-100, 2],
      [-110, 1.9091],
      [-150, 1.6667],
      [-3333, 1.03],
      [-100_000, 1.001],
      [100_000, 1001],
      // 1 + 100/-32000 is 1.003125: the half goes away from zero.
      [-32_000, 1.0031],
      [-16_000, 1.0063],
    ];
    for (const [american, decimal] of examples) expect(shownDecimal(american)).to.equal(decimal);
  });

  it('agree with exact fractions over every valid price', () => {
    for (let size = 100; size <= 100_000; size += 1) {
      for (const odds of [size, -size]) {
        const { num, den } = decimalOf(odds);
        const exact = naive.decimalOdds(odds);
        if (BigInt(num) * exact.d !== exact.n * BigInt(den)) expect.fail(`decimal of ${odds}`);
        const shown = Number((exact.n * 20_000n + exact.d) / (exact.d * 2n)) / 10_000;
        if (shownDecimal(odds) !== shown) expect.fail(`shown decimal of ${odds}`);
        if (nearestAmerican({ num, den }) !== (odds === -100 ? 100 : odds)) expect.fail(`nearest of ${odds}`);
      }
    }
  });

  it('are ordered by their payout', () => {
    expect([200, -110, 100, -3333, 105, -105].toSorted(compareAmerican)).to.deep.equal([
      -3333, -110, -105, 100, 105, 200,
    ]);
    expect(compareAmerican(-100, 100)).to.equal(0);
    fc.assert(
      fc.property(americanOdds, americanOdds, (a, b) => {
        const exact = naive.compare(naive.decimalOdds(a), naive.decimalOdds(b));
        expect(Math.sign(compareAmerican(a, b))).to.equal(exact);
        expect(Math.sign(compareRatios(decimalOf(a), decimalOf(b)))).to.equal(exact);
      }),
    );
  });

  it('have exactly comparable gaps, however large the products', () => {
    fc.assert(
      fc.property(americanOdds, americanOdds, americanOdds, americanOdds, (a, b, c, d) => {
        const gap = (one: number, other: number) =>
          naive.distance(naive.decimalOdds(one), naive.decimalOdds(other));
        expect(Math.sign(compareRatios(decimalGap(a, b), decimalGap(c, d)))).to.equal(
          naive.compare(gap(a, b), gap(c, d)),
        );
      }),
    );
  });

  describe('CLV', () => {
    it('is the gain of the posted decimal odds over the closing ones in basis points', () => {
      const examples: [posted: number, closing: number, bps: number][] = [
        [150, 150, 0],
        [100, -100, 0],
        [-110, -120, 413],
        [-120, -110, -397],
        [110, 100, 500],
        [100, 110, -476],
        [100_000, -100_000, 9_990_000],
        [-100_000, 100_000, -9_990],
      ];
      for (const [posted, closing, bps] of examples) expect(clvBps(posted, closing)).to.equal(bps);
    });

    it('rounds exact halves away from zero, unlike floating point', () => {
      // 9.01 / 8 - 1 = 0.12625, 4.01 / 8 - 1 = -0.49875: half a basis point each.
      expect(clvBps(801, 700)).to.equal(1263);
      expect(clvBps(301, 700)).to.equal(-4988);
    });

    it('is never a negative zero', () => {
      expect(Object.is(clvBps(-110, -110), 0)).to.equal(true);
      expect(Object.is(clvBps(-100_000, { num: 1_000_000_001, den: 999_000_000 }), 0)).to.equal(true);
    });

    it('agrees with exact fractions over the whole range of odds', () => {
      fc.assert(
        fc.property(americanOdds, americanOdds, (posted, closing) => {
          expect(clvBps(posted, closing)).to.equal(exactBps(posted, naive.decimalOdds(closing)));
        }),
        { numRuns: 1_000 },
      );
    });

    it('agrees with exact fractions against medians, which overflow safe integers', () => {
      fc.assert(
        fc.property(
          americanOdds,
          fc.array(americanOdds, { minLength: 1, maxLength: 6 }),
          (posted, closings) => {
            const median = naive.median(closings.map(naive.decimalOdds));
            expect(clvBps(posted, medianDecimal(closings))).to.equal(exactBps(posted, median));
          },
        ),
        { numRuns: 1_000 },
      );
    });
  });

  describe('the median', () => {
    it('is the middle price of an odd number, and the mean of the middle two of an even one', () => {
      expect(medianDecimal([-110])).to.deep.equal({ num: 210, den: 110 });
      expect(medianDecimal([150, 300, 200])).to.deep.equal({ num: 300, den: 100 });
      const { num, den } = medianDecimal([-200, 300, 200, 100]);
      expect(num / den).to.equal(2.5);
    });

    it('depends on no order, and leaves its input unchanged', () => {
      const prices = [200, -110, 150];
      medianDecimal(prices);
      expect(prices).to.deep.equal([200, -110, 150]);
      expect(medianDecimal([-110, 150, 200])).to.deep.equal(medianDecimal(prices));
    });
  });

  describe('the nearest American odds', () => {
    it('are +100 for even money, and the lower-paying of two equally near ones', () => {
      const examples: [num: number, den: number, american: number][] = [
        [2, 1, 100],
        [2015, 1000, 101],
        [2025, 1000, 102],
        [20251, 10000, 103],
        [1_005_000, 1000, 100_000],
        [1_000_001, 1_000_000, -100_000],
        [199, 100, -101],
        [1999, 1000, 100],
      ];
      for (const [num, den, american] of examples) expect(nearestAmerican({ num, den })).to.equal(american);
    });

    it('are the nearest of all by exact fractions', () => {
      fc.assert(
        fc.property(fc.array(americanOdds, { minLength: 1, maxLength: 4 }), (prices) => {
          const exact = naive.median(prices.map(naive.decimalOdds));
          expect(nearestAmerican(medianDecimal(prices))).to.equal(naive.nearestAmerican(exact));
        }),
        { numRuns: 700 },
      );
    });
  });
});

function exactBps(posted: number, closing: naive.Fraction): number {
  const gain = naive.subtract(naive.divide(naive.decimalOdds(posted), closing), naive.ONE);
  return naive.nearestInteger(naive.multiply(gain, naive.fraction(10_000)));
}
