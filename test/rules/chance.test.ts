import { expect } from 'chai';
import fc from 'fast-check';
import { chanceOf, chancePct, type PricedGroup } from '../../src/rules/chance.ts';
import { americanOdds } from './arbitraries.ts';

interface Played {
  oddsAmerican: number;
  half: boolean;
  won: boolean;
}

const decimal = (odds: number) => (odds > 0 ? 1 + odds / 100 : 1 - 100 / odds);
const returnOf = ({ oddsAmerican, half }: Played) => (half ? 0.5 : 1) * decimal(oddsAmerican);

function grouped(picks: readonly Played[]): PricedGroup[] {
  const groups = Map.groupBy(picks, ({ oddsAmerican, half }) => `${oddsAmerican} ${half}`);
  return [...groups.values()].map((of) => ({
    oddsAmerican: of[0]!.oddsAmerican,
    half: of[0]!.half,
    decided: of.length,
    wins: of.filter(({ won }) => won).length,
  }));
}

const group = (oddsAmerican: number, wins: number, losses: number, half = false): PricedGroup => ({
  oddsAmerican,
  half,
  decided: wins + losses,
  wins,
});

/** Adds up every way in which the picks could have come out. */
function byBruteForce(picks: readonly Played[]): number {
  const actual = picks.reduce((sum, pick) => sum + (pick.won ? returnOf(pick) : 0), 0);
  const from = (index: number, returned: number): number => {
    const pick = picks[index];
    if (pick === undefined) return returned >= actual - 1e-9 ? 1 : 0;
    const p = 1 / decimal(pick.oddsAmerican);
    return p * from(index + 1, returned + returnOf(pick)) + (1 - p) * from(index + 1, returned);
  };
  return from(0, 0);
}

/** Convolves pick by pick, on a grid that holds every return exactly. */
function byConvolution(picks: readonly Played[]): number {
  const steps = (pick: Played) => Math.round(200 * returnOf(pick));
  const actual = picks.reduce((sum, pick) => sum + (pick.won ? steps(pick) : 0), 0);
  const chances = new Float64Array(actual);
  chances[0] = 1;
  let [reached, most] = [0, 0];
  for (const pick of picks) {
    const p = 1 / decimal(pick.oddsAmerican);
    const more = steps(pick);
    for (let at = Math.min(most, actual - 1); at >= 0; at -= 1) {
      const chance = chances[at]!;
      if (chance < 1e-15) continue;
      chances[at] = chance * (1 - p);
      if (at + more >= actual) reached += chance * p;
      else chances[at + more]! += chance * p;
    }
    most += more;
  }
  return reached;
}

/** The tolerance of docs/rules/records.md#chance. */
function expectClose(found: number, exact: number) {
  expect(found).to.be.closeTo(exact, exact > 0.5 ? 0.001 : Math.max(exact / 10, 1e-5));
}

describe('the chance of a yield', () => {
  it('is exact where wins are rare and large, and where they are all alike', () => {
    expect(chancePct([group(2500, 5, 25)])).to.equal(0.54);
    expect(chancePct([group(100, 60, 40)])).to.equal(2.84);
    expect(chancePct([group(100, 60, 40, true)])).to.equal(2.84);
    expect(chancePct([group(-110, 0, 7)])).to.equal(100);
    expect(chancePct([group(100, 14, 0)])).to.equal(0);
    expect(chancePct([])).to.equal(null);
  });

  it('counts records with exactly the same yield', () => {
    // Two wins at +100 return as much as one at +300.
    expect(chanceOf([group(100, 2, 0), group(300, 0, 1)])).to.be.closeTo(1 - 0.75 * 0.75, 1e-9);
  });

  it('is that of brute force for up to 16 picks', () => {
    const played = fc.record({ oddsAmerican: americanOdds, half: fc.boolean(), won: fc.boolean() });
    fc.assert(
      fc.property(fc.array(played, { minLength: 1, maxLength: 16 }), (picks) =>
        expectClose(chanceOf(grouped(picks)), byBruteForce(picks)),
      ),
      { numRuns: 60 },
    );
  });

  it('is that of brute force for 20 picks', () => {
    const odds = [-250, -110, -110, 100, 120, 150, 220, 400, 900, 2500];
    const picks = [...odds, ...odds].map((oddsAmerican, index) => ({
      oddsAmerican,
      half: index % 3 === 0,
      won: index % 5 < 2,
    }));
    expectClose(chanceOf(grouped(picks)), byBruteForce(picks));
  });

  for (const [what, odds, rate] of [
    ['everyday prices', [-400, -250, -200, -125, 100, 110, 125, 150, 200, 300], 1.08],
    ['long shots', [400, 700, 1000, 1500, 2500, 5000], 1.4],
    ['one price and a few others', [-125, -125, -125, -125, -125, -125, -125, -125, -125, 105], 1.11],
    ['more prices than are kept apart', Array.from({ length: 60 }, (_, index) => 100 + 4 * index), 1.1],
  ] as const)
    it(`is that of a convolution for 1,000 mixed picks: ${what}`, () => {
      for (const skill of [0.97, 1, rate]) {
        const owed = new Map<number, number>();
        const picks = Array.from({ length: 1000 }, (_, index): Played => {
          const oddsAmerican = odds[index % odds.length]!;
          const due = (owed.get(oddsAmerican) ?? 0.5) + skill / decimal(oddsAmerican);
          const won = due >= 1;
          owed.set(oddsAmerican, won ? due - 1 : due);
          return { oddsAmerican, half: index % 7 === 0, won };
        });
        expectClose(chanceOf(grouped(picks)), byConvolution(picks));
      }
    });

  it('falls as more of the picks win', () => {
    const chances = Array.from({ length: 200 }, (_, wins) =>
      chanceOf([group(-120, wins, 199 - wins), group(140, 40, 60), group(900, 3, 20, true)]),
    );
    for (const [wins, chance] of chances.entries())
      expect(chance).to.be.at.most((chances[wins - 1] ?? 1) + 1e-9);
    expect([chances[0]! > 0.999, chances.at(-1)! < 1e-6]).to.deep.equal([true, true]);
  });
});
