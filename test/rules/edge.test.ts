import { expect } from 'chai';
import fc from 'fast-check';
import { edgeOf, fairProbability as exactProbability, type SidePrice } from '../../src/rules/edge.ts';
import { edgeAt as naiveEdgeAt } from '../naive/closing.ts';
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
const over = {
  sport: 'nba',
  market: 'total',
  side: 'over',
  lineE3: 8_500,
  oddsAmerican: 100,
  moneylineWays: 2 as const,
};
const exact = (bps: number) => ({ bps, method: 'multiplicative' });

describe('the edge', () => {
  it('excludes the margin of two equal prices', () => {
    expect(fairProbability(evenTotal, 'over')).to.equal(0.5);
    const closing = { prices: evenTotal, lineE3: 8_500 };
    expect(edgeOf(over, closing)).to.deep.equal(exact(0));
    expect(edgeOf({ ...over, oddsAmerican: 105 }, closing)).to.deep.equal(exact(250));
    expect(edgeOf({ ...over, oddsAmerican: -110 }, closing)).to.deep.equal(exact(-455));
  });

  it('counts the draw of a three-way moneyline', () => {
    // Decimal 2.7, 2.3, and 4.4, with the fair probabilities from penaltyblog's documentation.
    const prices = [
      { side: 'home', oddsAmerican: 170 },
      { side: 'draw', oddsAmerican: 130 },
      { side: 'away', oddsAmerican: 340 },
    ];
    expect(fairProbability(prices, 'home')).to.be.closeTo(0.35873803615739097, 1e-12);
    expect(fairProbability(prices, 'draw')).to.be.closeTo(0.4211272598369373, 1e-12);
    const pick = {
      ...over,
      market: 'moneyline',
      side: 'home',
      lineE3: null,
      oddsAmerican: 200,
      moneylineWays: 3 as const,
    };
    expect(edgeOf(pick, { prices, lineE3: null })).to.deep.equal(exact(762));
  });

  it('is null if a side is missing, the market is undeclared, or the line moved without a margin model', () => {
    const closing = { prices: evenTotal, lineE3: 8_500 };
    expect(edgeOf(over, { ...closing, prices: evenTotal.slice(0, 1) })).to.equal(null);
    expect(edgeOf({ ...over, market: 'prop' }, closing)).to.equal(null);
    expect(edgeOf({ ...over, sport: 'tennis' }, { ...closing, lineE3: 9_000 })).to.equal(null);
    expect(
      edgeOf({ ...over, market: 'team_total', side: 'home_over' }, { ...closing, lineE3: 9_000 }),
    ).to.equal(null);
    const prices = [
      { side: 'home', oddsAmerican: 170 },
      { side: 'away', oddsAmerican: 340 },
    ];
    const pick = { ...over, market: 'moneyline', side: 'home', lineE3: null };
    expect(edgeOf({ ...pick, moneylineWays: 3 }, { prices, lineE3: null })).to.equal(null);
    expect(edgeOf({ ...pick, moneylineWays: 2 }, { prices, lineE3: null })?.method).to.equal(
      'multiplicative',
    );
  });

  it("carries the probability over to the pick's own line if the line moved", () => {
    const edgeAt = (lineE3: number, closingE3: number) =>
      edgeOf({ ...over, lineE3 }, { prices: evenTotal, lineE3: closingE3 });
    expect(edgeAt(218_500, 220_500)?.method).to.equal('margin_model');
    expect(edgeAt(218_500, 220_500)?.bps).to.be.within(900, 1_000);
    expect(edgeAt(222_500, 220_500)?.bps).to.be.within(-1_000, -900);
  });

  it('splits the stake of a quarter line between the neighboring half lines', () => {
    const edgeAt = (lineE3: number) =>
      edgeOf({ ...over, sport: 'soccer', lineE3, oddsAmerican: 100 }, { prices: evenTotal, lineE3: 2_500 })
        ?.bps;
    // At 2.5 both totals have a probability of 1/2, so 2.69 goals are expected. Exactly 2 occur in 25 of 100 games, and at 2 half of these
    // are returned.
    const [at2, at225, at25] = [2_000, 2_250, 2_500].map(edgeAt) as [number, number, number];
    expect(at25).to.equal(0);
    expect(at225).to.be.within(1_350, 1_450);
    expect(at2).to.be.within(3_200, 3_400);
    // The stake decided at 2.25 equals that on both lines together, so the edge is the mean weighted by decided stakes.
    const pushed = 1 - 0.5 / (0.5 * (1 + at2 / 10_000));
    expect(at225).to.be.closeTo((at2 * (1 - pushed)) / (2 - pushed), 3);
  });

  it('agrees with a naive computation at any lines, including quarter lines', () => {
    const quarter = fc.integer({ min: -8, max: 8 }).map((steps) => steps * 250 || 0);
    const bet = fc.constantFrom(
      ...['soccer', 'nfl', 'nhl'].flatMap((sport) =>
        ['home', 'away', 'over', 'under'].map((side) => ({ sport, side })),
      ),
    );
    const price = fc.integer({ min: -150, max: -100 });
    fc.assert(
      fc.property(bet, quarter, quarter, price, price, ({ sport, side }, at, move, odds, against) => {
        const market = side === 'home' || side === 'away' ? 'spread' : 'total';
        const middle = { soccer: 2_500, nfl: 45_000, nhl: 6_000 }[sport]!;
        const closingE3 = market === 'spread' ? at : at + middle;
        const pick = { ...over, sport, market, side, lineE3: closingE3 + move || 0 };
        const other = { home: 'away', away: 'home', over: 'under', under: 'over' }[side]!;
        const prices = [
          { side, oddsAmerican: odds },
          { side: other, oddsAmerican: against },
        ];
        const found = edgeOf(pick, { prices, lineE3: closingE3 });
        const expected = naiveEdgeAt({ ...pick, book: null }, closingE3, prices);
        expect(found === null).to.equal(expected === null);
        if (found !== null) expect(found.bps / 100).to.be.closeTo(expected!, 0.011);
      }),
      { numRuns: 150 },
    );
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
        const pick = { ...over, market: 'spread', side: 'home', oddsAmerican: posted };
        expect(edgeOf(pick, { prices, lineE3: 8_500 })?.bps).to.equal(
          naive.decimals(naive.multiply(gain, naive.fraction(10_000)), 0),
        );
      }),
    );
  });
});
