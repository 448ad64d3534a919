import { expect } from 'chai';
import fc from 'fast-check';
import { netUnitsE4 } from '../../src/rules/odds.ts';
import { addTallies, emptyTally, recordOf, type SettledPick, tallyOf } from '../../src/rules/tally.ts';
import { decimalOdds, divide, fraction, multiply, nearestInteger, ONE, subtract } from '../naive/fraction.ts';
import { americanOdds, result, stakeE4 } from './arbitraries.ts';

const bps = fc.option(fc.integer({ min: -3_000, max: 3_000 }));

const settled: fc.Arbitrary<SettledPick> = fc
  .record({
    result,
    half: fc.boolean(),
    stakeE4,
    oddsAmerican: americanOdds,
    clvBps: bps,
    edgeBps: bps,
    moved: fc.boolean(),
    provenance: fc.constantFrom('live', 'imported'),
    sealedInTime: fc.constantFrom(null, 'witnessed', 'signed', 'late'),
    priceVerdict: fc.constantFrom(null, 'available', 'unchecked'),
  })
  .map(({ moved, half, ...pick }) => ({ ...pick, moved, half: half && /win|loss/.test(pick.result) }))
  .map(({ moved, ...pick }) => ({
    ...pick,
    netUnitsE4: netUnitsE4(pick.result, pick.stakeE4, pick.oddsAmerican, pick.half),
    sameLine: pick.clvBps === null ? null : !moved,
  }));

const pick = (given: Partial<SettledPick>): SettledPick => ({
  result: 'win',
  half: false,
  oddsAmerican: -110,
  stakeE4: 10_000,
  netUnitsE4: 0,
  clvBps: null,
  sameLine: null,
  edgeBps: null,
  provenance: 'live',
  sealedInTime: null,
  priceVerdict: null,
  ...given,
});

describe('a record', () => {
  it('has no rates without picks', () => {
    expect(recordOf(emptyTally())).to.deep.equal({
      picks: 0,
      wins: 0,
      losses: 0,
      pushes: 0,
      voids: 0,
      record: '0-0-0',
      hitRatePct: null,
      unitsNet: 0,
      unitsStaked: 0,
      roiPct: null,
      breakEvenPct: null,
      averageOddsAmerican: null,
      flatUnits: null,
      yieldPct: null,
      yieldLowPct: null,
      yieldHighPct: null,
      clvMeanBps: null,
      clvSample: 0,
      clvSameLineSample: 0,
      clvMovedSample: 0,
      edgeMeanPct: null,
      edgeSample: 0,
      importedPicks: 0,
      latePicks: 0,
      unchecked: 0,
      aboveMarket: 0,
      unseen: 0,
    });
  });

  it('counts only stakes of wins and losses, and omits the CLV of moved lines from the mean', () => {
    const tally = tallyOf([
      pick({ result: 'win', netUnitsE4: 9_091, clvBps: 110, sameLine: true, edgeBps: 220 }),
      pick({
        result: 'win',
        stakeE4: 20_000,
        netUnitsE4: 30_000,
        clvBps: -45,
        sameLine: false,
        edgeBps: -90,
      }),
      pick({ result: 'loss', netUnitsE4: -10_000, provenance: 'imported' }),
      pick({ result: 'push', stakeE4: 50_000, clvBps: 0, sameLine: true, edgeBps: 0 }),
      pick({ result: 'void', stakeE4: 70_000, sealedInTime: 'late' }),
    ]);
    expect(recordOf(tally)).to.deep.include({
      picks: 5,
      wins: 2,
      losses: 1,
      pushes: 1,
      voids: 1,
      record: '2-1-1',
      hitRatePct: 66.67,
      unitsNet: 2.91,
      unitsStaked: 4,
      roiPct: 72.73,
      clvMeanBps: 55,
      clvSample: 2,
      clvSameLineSample: 2,
      clvMovedSample: 1,
      edgeMeanPct: 0.43,
      edgeSample: 3,
      importedPicks: 1,
      latePicks: 1,
    });
  });

  it('sums flat stakes, their variance, and break-evens, rounded pick by pick, half results at half weight', () => {
    const scaled = (value: ReturnType<typeof fraction>, scale: number) =>
      nearestInteger(multiply(value, fraction(scale)));
    fc.assert(
      fc.property(settled, (given) => {
        const { breakEvenE9, flatE6, flatVarianceE6, halves } = tallyOf([given]);
        const decimal = decimalOdds(given.oddsAmerican);
        const profit = subtract(decimal, ONE);
        const weight = fraction(1, given.half ? 2 : 1);
        const counts = given.result === 'win' || given.result === 'loss';
        expect([halves, breakEvenE9, flatE6, flatVarianceE6]).to.deep.equal(
          counts
            ? [
                given.half ? 1 : 0,
                scaled(divide(weight, decimal), 1e9),
                scaled(multiply(weight, given.result === 'win' ? profit : fraction(-1)), 1e6),
                scaled(multiply(multiply(weight, weight), profit), 1e6),
              ]
            : [0, 0, 0, 0],
        );
      }),
    );
  });

  it('rounds a negative ROI and mean away from zero', () => {
    const tally = { ...emptyTally(), losses: 1, netE4: -1, stakedE4: 20_000, clvSum: -1, clvSample: 4 };
    expect(recordOf(tally).roiPct).to.equal(-0.01);
    expect(recordOf(tally).clvMeanBps).to.equal(-0.3);
  });

  it('is the sum of the records of any split, with units that are the sum of the days', () => {
    fc.assert(
      fc.property(fc.array(fc.array(settled, { maxLength: 12 }), { maxLength: 8 }), (days) => {
        const tallies = days.map((day) => tallyOf(day));
        expect(addTallies(tallies)).to.deep.equal(tallyOf(days.flat()));
        expect(addTallies(tallies.toReversed())).to.deep.equal(addTallies(tallies));
      }),
    );
  });
});
