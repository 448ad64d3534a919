import { expect } from 'chai';
import fc from 'fast-check';
import { edgePct, fairProbability as exactProbability, type SidePrice } from '../../src/rules/edge.ts';
import * as naive from '../naive/fraction.ts';
import { americanOdds } from './arbitraries.ts';

function fairProbability(prices: readonly SidePrice[], side: string): number | null {
  const fair = exactProbability(prices, side);
  return fair === null ? null : Number(fair.num) / Number(fair.den);
}

const evenTotal = [
  { side: 'over', oddsAmerican: -110 },
  { side: 'under', oddsAmerican: -110 },
];
const over = { market: 'total', side: 'over', oddsAmerican: 100, moneylineWays: 2 as const };

describe('edge', () => {
  it('takes the margin out of two equal prices', () => {
    expect(fairProbability(evenTotal, 'over')).to.equal(0.5);
    expect(edgePct(over, { prices: evenTotal, sameLine: true })).to.equal(0);
    expect(edgePct({ ...over, oddsAmerican: 105 }, { prices: evenTotal, sameLine: true })).to.equal(2.5);
    expect(edgePct({ ...over, oddsAmerican: -110 }, { prices: evenTotal, sameLine: true })).to.equal(-4.55);
  });

  it('counts the draw of a three-way moneyline', () => {
    // Decimal 2.7, 2.3 and 4.4: the fair probabilities that penaltyblog's documentation gives.
    const prices = [
      { side: 'home', oddsAmerican: 170 },
      { side: 'draw', oddsAmerican: 130 },
      { side: 'away', oddsAmerican: 340 },
    ];
    expect(fairProbability(prices, 'home')).to.be.closeTo(0.35873803615739097, 1e-12);
    expect(fairProbability(prices, 'draw')).to.be.closeTo(0.4211272598369373, 1e-12);
    const pick = { market: 'moneyline', side: 'home', oddsAmerican: 200, moneylineWays: 3 as const };
    expect(edgePct(pick, { prices, sameLine: true })).to.equal(7.62);
  });

  it('is null where the line moved, a side is missing, or no score grades the market', () => {
    expect(edgePct(over, { prices: evenTotal, sameLine: false })).to.equal(null);
    expect(edgePct(over, { prices: evenTotal.slice(0, 1), sameLine: true })).to.equal(null);
    expect(edgePct({ ...over, market: 'prop' }, { prices: evenTotal, sameLine: true })).to.equal(null);
    const twoOfThree = [
      { side: 'home', oddsAmerican: 170 },
      { side: 'away', oddsAmerican: 340 },
    ];
    const pick = { market: 'moneyline', side: 'home', oddsAmerican: 200 };
    expect(edgePct({ ...pick, moneylineWays: 3 }, { prices: twoOfThree, sameLine: true })).to.equal(null);
    expect(edgePct({ ...pick, moneylineWays: 2 }, { prices: twoOfThree, sameLine: true })).to.be.a('number');
  });

  it('agrees with exact fractions over the whole range of odds', () => {
    fc.assert(
      fc.property(americanOdds, americanOdds, americanOdds, (posted, home, away) => {
        const [first, second] = [home, away].map((odds) => naive.divide(naive.ONE, naive.decimalOdds(odds)));
        const fair = naive.divide(first!, naive.add(first!, second!));
        const gain = naive.subtract(naive.multiply(naive.decimalOdds(posted), fair), naive.ONE);
        const prices = [
          { side: 'home', oddsAmerican: home },
          { side: 'away', oddsAmerican: away },
        ];
        const pick = { market: 'spread', side: 'home', oddsAmerican: posted, moneylineWays: 2 as const };
        expect(edgePct(pick, { prices, sameLine: true })).to.equal(
          naive.decimals(naive.multiply(gain, naive.fraction(100)), 2),
        );
      }),
    );
  });
});
