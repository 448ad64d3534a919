import { expect } from 'chai';
import fc from 'fast-check';
import { againstPrice, byExcess, excessOf, type PricedResults } from '../../src/rules/against-price.ts';
import { netUnitsE4 } from '../../src/rules/odds.ts';
import { americanOdds, stakeE4 } from './arbitraries.ts';

interface Played {
  odds: number;
  stakeE4: number;
  won: boolean;
}

const decimal = (odds: number) => (odds > 0 ? 1 + odds / 100 : 1 - 100 / odds);

function resultsOf(picks: readonly Played[]): PricedResults {
  const sum = (of: (pick: Played) => number) => picks.reduce((total, pick) => total + of(pick), 0);
  return {
    wins: picks.filter(({ won }) => won).length,
    losses: picks.filter(({ won }) => !won).length,
    netE4: sum((pick) => netUnitsE4(pick.won ? 'win' : 'loss', pick.stakeE4, pick.odds)),
    stakedE4: sum((pick) => pick.stakeE4),
    breakEvenE9: sum(({ odds }) => Math.round(1e9 / decimal(odds))),
    breakEvenVarianceE9: sum(({ odds }) => Math.round((1e9 / decimal(odds)) * (1 - 1 / decimal(odds)))),
    netVarianceE6: sum((pick) => Math.round((pick.stakeE4 / 1e4) ** 2 * (decimal(pick.odds) - 1) * 1e6)),
  };
}

const played = fc.record({ odds: americanOdds, stakeE4, won: fc.boolean() });
const pick = (odds: number, won: boolean, units = 1): Played => ({ odds, won, stakeE4: units * 10_000 });

/** Returns the exact probability of at least `wins` wins, from the distribution of their number, pick by pick. */
function exactChance(chances: readonly number[], wins: number): number {
  let of = [1];
  for (const p of chances)
    of = Array.from({ length: of.length + 1 }, (_, k) => (of[k] ?? 0) * (1 - p) + (of[k - 1] ?? 0) * p);
  return of.slice(wins).reduce((a, b) => a + b, 0);
}

describe('a record against break-even', () => {
  it('is measured from the break-even of its own prices', () => {
    // Break-evens 0.5238 (twice), 0.4, and 0.6667.
    const results = resultsOf([pick(-110, true), pick(-110, false), pick(150, true, 2), pick(-200, true)]);
    expect(againstPrice(results)).to.deep.equal({
      breakEvenPct: 52.86,
      averageOddsAmerican: -112,
      excessPct: 22.14,
      // 1.96 times the square root of 1.9611, divided by 4 picks.
      excessLowPct: -46.48,
      excessHighPct: 90.76,
      // 3.4091 units on 5; 1.96 times the square root of 8.3182, divided by 5 units.
      roiLowPct: -44.88,
      roiHighPct: 181.24,
      // 3 wins minus 0.5 are 0.3857 above the expected 2.1143; the standard deviation is 0.9803.
      chancePct: 34.7,
    });
  });

  it('has no figures without a win or loss', () => {
    expect(Object.values(againstPrice(resultsOf([]))).every((figure) => figure === null)).to.equal(true);
    expect(excessOf(resultsOf([]))).to.equal(null);
  });

  it('earns nothing for hits that the prices imply', () => {
    const favorites = resultsOf(Array.from({ length: 300 }, (_, index) => pick(-250, index % 3 > 0)));
    const sharp = resultsOf(Array.from({ length: 300 }, (_, index) => pick(-105, index % 20 > 8)));
    expect(favorites.wins / 300).to.be.above(0.66);
    expect(againstPrice(favorites).excessPct).to.be.below(0);
    expect([favorites, sharp].toSorted(byExcess)[0]).to.equal(sharp);
  });

  it('has the figures of plain floating point over the picks', () => {
    fc.assert(
      fc.property(fc.array(played, { minLength: 1, maxLength: 60 }), (picks) => {
        const p = picks.map(({ odds }) => 1 / decimal(odds));
        const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
        const n = picks.length;
        const excess = (picks.filter(({ won }) => won).length - sum(p)) / n;
        const error = (1.96 * Math.sqrt(sum(p.map((one) => one * (1 - one))) + 1)) / n;
        const found = excessOf(resultsOf(picks))!;
        expect(found.excess).to.be.closeTo(excess, 1e-8);
        expect(found.low).to.be.closeTo(excess - error, 1e-8);
        expect(found.high).to.be.closeTo(excess + error, 1e-8);
      }),
    );
  });

  it('agrees with the exact probability that chance does as well', () => {
    const prices = fc.array(fc.constantFrom(-250, -180, -110, 105, 150, 240), {
      minLength: 20,
      maxLength: 120,
    });
    fc.assert(
      fc.property(prices, fc.double({ min: 0.3, max: 0.75, noNaN: true }), (odds, rate) => {
        const picks = odds.map((one, index) => pick(one, index < Math.round(odds.length * rate)));
        const exact = exactChance(
          odds.map((one) => 1 / decimal(one)),
          picks.filter(({ won }) => won).length,
        );
        expect(againstPrice(resultsOf(picks)).chancePct! / 100).to.be.closeTo(exact, 0.01);
      }),
    );
  });
});
