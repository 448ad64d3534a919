import { expect } from 'chai';
import fc from 'fast-check';
import { netUnitsE4 } from '../../src/rules/odds.ts';
import { addTallies, emptyTally, recordOf, type Tally } from '../../src/rules/tally.ts';
import type { Result } from '../../src/rules/vocabulary.ts';
import { americanOdds, result, stakeE4 } from './arbitraries.ts';

/** One settled pick as a tally counts it. */
interface TallyPick {
  result: Result;
  stakeE4: number;
  netUnitsE4: number;
  clvBps: number | null;
  /** Had the line not moved at the close? `null` without a closing. */
  sameLine: boolean | null;
}

const counterOf = { win: 'wins', loss: 'losses', push: 'pushes', void: 'voids' } as const;

/** Counts one settled pick into a tally, in place. */
function countPick(tally: Tally, pick: TallyPick): void {
  tally[counterOf[pick.result]] += 1;
  tally.netE4 += pick.netUnitsE4;
  if (pick.result === 'win' || pick.result === 'loss') tally.stakedE4 += pick.stakeE4;
  if (pick.clvBps === null) return;
  tally.edgeSum += 2 * pick.clvBps;
  tally.edgeSample += 1;
  if (pick.sameLine !== true) tally.clvMovedSample += 1;
  else {
    tally.clvSum += pick.clvBps;
    tally.clvSample += 1;
  }
}

const settled: fc.Arbitrary<TallyPick> = fc
  .record({
    result,
    stakeE4,
    odds: americanOdds,
    clvBps: fc.option(fc.integer({ min: -3_000, max: 3_000 })),
    moved: fc.boolean(),
  })
  .map(({ odds, moved, ...pick }) => ({
    ...pick,
    netUnitsE4: netUnitsE4(pick.result, pick.stakeE4, odds),
    sameLine: pick.clvBps === null ? null : !moved,
  }));

function tallyOf(picks: readonly TallyPick[]) {
  const tally = emptyTally();
  for (const pick of picks) countPick(tally, pick);
  return tally;
}

const pick = (given: Partial<TallyPick>): TallyPick => ({
  result: 'win',
  stakeE4: 10_000,
  netUnitsE4: 0,
  clvBps: null,
  sameLine: null,
  ...given,
});

describe('record', () => {
  it('of nothing has no rates', () => {
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
      excessPct: null,
      excessLowPct: null,
      excessHighPct: null,
      roiLowPct: null,
      roiHighPct: null,
      chancePct: null,
      clvMeanBps: null,
      clvSample: 0,
      clvSameLineSample: 0,
      clvMovedSample: 0,
      edgeMeanPct: null,
      edgeSample: 0,
      importedPicks: 0,
      latePicks: 0,
    });
  });

  it('counts stakes of wins and losses alone, and leaves the CLV of moved lines out of the mean', () => {
    const tally = tallyOf([
      pick({ result: 'win', netUnitsE4: 9_091, clvBps: 110, sameLine: true }),
      pick({ result: 'win', stakeE4: 20_000, netUnitsE4: 30_000, clvBps: -45, sameLine: false }),
      pick({ result: 'loss', netUnitsE4: -10_000 }),
      pick({ result: 'push', stakeE4: 50_000, clvBps: 0, sameLine: true }),
      pick({ result: 'void', stakeE4: 70_000 }),
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
      importedPicks: 0,
      latePicks: 0,
    });
  });

  it('rounds a negative ROI and mean away from zero', () => {
    const tally = { ...emptyTally(), losses: 1, netE4: -1, stakedE4: 20_000, clvSum: -1, clvSample: 4 };
    expect(recordOf(tally).roiPct).to.equal(-0.01);
    expect(recordOf(tally).clvMeanBps).to.equal(-0.3);
  });

  it('of picks is the sum of the records of any split of them: units of the whole are the sum of the days', () => {
    fc.assert(
      fc.property(fc.array(fc.array(settled, { maxLength: 12 }), { maxLength: 8 }), (days) => {
        const tallies = days.map(tallyOf);
        expect(addTallies(tallies)).to.deep.equal(tallyOf(days.flat()));
        expect(addTallies(tallies.toReversed())).to.deep.equal(addTallies(tallies));
      }),
    );
  });
});
