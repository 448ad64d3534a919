import { expect } from 'chai';
import { emptyTally } from '../../src/rules/tally.ts';
import { shownShrunk, shownYield, yieldOf } from '../../src/rules/yield.ts';

/** Returns the sums of results at one price, some of them halves. */
function sums(decimal: number, won: number, lost: number, halves = { won: 0, lost: 0 }) {
  const weights = { won: won - halves.won / 2, lost: lost - halves.lost / 2 };
  const squares = won + lost - (3 / 4) * (halves.won + halves.lost);
  return {
    ...emptyTally(),
    wins: won,
    losses: lost,
    halves: halves.won + halves.lost,
    breakEvenE9: Math.round(((weights.won + weights.lost) * 1e9) / decimal),
    flatE6: Math.round((weights.won * (decimal - 1) - weights.lost) * 1e6),
    flatVarianceE6: Math.round(squares * (decimal - 1) * 1e6),
  };
}

describe('a yield', () => {
  it('has the interval of bettors without skill at the same odds', () => {
    // 60 * 1 - 40 on 100; 1.96 * sqrt(100 + 1) / 100.
    expect(shownYield(sums(2, 60, 40))).to.deep.equal({
      breakEvenPct: 50,
      averageOddsAmerican: 100,
      flatUnits: 20,
      yieldPct: 20,
      yieldLowPct: 0.3,
      yieldHighPct: 39.7,
    });
  });

  it('gives half results half the weight: half wins do not make up for whole losses', () => {
    // 300 half wins and 290 whole losses at 1.91 lose half of the stakes.
    const found = yieldOf(sums(1.91, 300, 290, { won: 300, lost: 0 }))!;
    expect(found.mean).to.be.closeTo((150 * 0.91 - 290) / 440, 1e-9);
    expect(found.high).to.be.below(0);
  });

  it('is drawn toward 0, the more so the less it proves', () => {
    // t = 3%, se = sqrt(101) / 100: 20 * 0.0009 / (0.0009 + 0.0101).
    expect(shownShrunk(sums(2, 60, 40))).to.deep.equal({
      shrunkPct: 1.64,
      shrunkLowPct: -4,
      shrunkHighPct: 7.27,
    });
    // A lucky 5-25 at +2500 would lead by its plain interval: +154% and more.
    expect(shownYield(sums(26, 5, 25)).yieldLowPct).to.be.above(150);
    expect(shownShrunk(sums(26, 5, 25)).shrunkPct).to.be.below(0.5);
  });

  it('does not exist without wins and losses', () => {
    expect(yieldOf(emptyTally())).to.equal(null);
    expect(Object.values({ ...shownYield(emptyTally()), ...shownShrunk(emptyTally()) })).to.deep.equal(
      Array(9).fill(null),
    );
  });
});
