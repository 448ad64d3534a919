import { expect } from 'chai';
import fc from 'fast-check';
import { shownUnits } from '../../src/rules/fixed-point.ts';
import { netUnitsE4 } from '../../src/rules/odds.ts';
import * as naive from '../naive/fraction.ts';
import { americanOdds, result, stakeE4 } from './arbitraries.ts';

describe('net units', () => {
  it('are the profit of a win, the stake of a loss, and zero for a push or void', () => {
    expect(netUnitsE4('win', 10_000, 150)).to.equal(15_000);
    expect(netUnitsE4('win', 10_000, -110)).to.equal(9_091);
    expect(netUnitsE4('win', 20_000, -150)).to.equal(13_333);
    expect(netUnitsE4('loss', 25_000, -110)).to.equal(-25_000);
    expect(netUnitsE4('push', 10_000, 150)).to.equal(0);
    expect(netUnitsE4('void', 10_000, 150)).to.equal(0);
  });

  it('round half of a ten-thousandth up for a win', () => {
    // 0.01 units at -80000: 0.0000125; at -20000: 0.00005, half a ten-thousandth.
    expect(netUnitsE4('win', 100, -80_000)).to.equal(0);
    expect(netUnitsE4('win', 100, -20_000)).to.equal(1);
    expect(netUnitsE4('win', 100, -20_001)).to.equal(0);
    expect(netUnitsE4('win', 1_000_000, 100_000)).to.equal(1_000_000_000);
  });

  it('agree with exact fractions over the whole range of odds and stakes', () => {
    fc.assert(
      fc.property(result, stakeE4, americanOdds, (outcome, stake, odds) => {
        const profit = naive.multiply(
          naive.fraction(stake),
          naive.subtract(naive.decimalOdds(odds), naive.ONE),
        );
        const expected = { win: naive.nearestInteger(profit), loss: -stake, push: 0, void: 0 };
        expect(netUnitsE4(outcome, stake, odds)).to.equal(expected[outcome]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are shown with 2 decimals, halves away from zero', () => {
    expect([9_091, 50, -50, 49, -49, 0, 1_234_550, -1_234_550].map(shownUnits)).to.deep.equal([
      0.91, 0.01, -0.01, 0, 0, 0, 123.46, -123.46,
    ]);
  });

  it('are half if only half the stake counted', () => {
    expect(netUnitsE4('win', 10_000, -110, true)).to.equal(4_545);
    expect(netUnitsE4('win', 10_000, 150, true)).to.equal(7_500);
    expect(netUnitsE4('loss', 300, -110, true)).to.equal(-150);
    fc.assert(
      fc.property(stakeE4, americanOdds, (stake, odds) => {
        const whole = netUnitsE4('win', stake, odds);
        expect(Math.abs(2 * netUnitsE4('win', stake, odds, true) - whole)).to.be.at.most(1);
      }),
    );
  });
});
