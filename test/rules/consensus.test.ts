import { expect } from 'chai';
import fc from 'fast-check';
import { sideSupport } from '../../src/rules/confidence.ts';
import { type ConsensusPick, consensusGroups } from '../../src/rules/consensus.ts';
import { shuffled } from './arbitraries.ts';
import { hour, sharpPick, sharpPicks, start } from './sharp-picks.ts';

describe('a consensus group', () => {
  it('consists of two different sharp cappers on one side, with all its figures', () => {
    const groups = consensusGroups([
      sharpPick({ capperHandle: 'ann', capperTier: 'elite', postedAt: start - 3 * hour, stakeE4: 25_000 }),
      sharpPick({
        capperHandle: 'bob',
        capperVerified: false,
        lineE3: -3000,
        oddsAmerican: -120,
        pick: 'Oxen -3',
      }),
      sharpPick({ capperHandle: 'cleo', side: 'away', lineE3: 3500 }),
      sharpPick({ capperHandle: 'dan', capperTier: 'listed' }),
    ]);
    expect(groups).to.deep.equal([
      {
        groupId: groups[0]!.groupId,
        sport: 'nfl',
        game: 'Harbor Gulls @ Mill Town Oxen',
        startsAt: '2026-01-18T18:00:00.000Z',
        market: 'spread',
        subject: null,
        side: 'home',
        pick: 'Oxen -3.5',
        lineMin: -3.5,
        lineMax: -3,
        bestOddsAmerican: -110,
        capperCount: 2,
        eliteCount: 1,
        verifiedSharpCount: 1,
        opposingCount: 1,
        consensusPct: 66.7,
        totalStakeUnits: 3.5,
        firstPostedAt: '2026-01-18T15:00:00.000Z',
        lastPostedAt: '2026-01-18T16:00:00.000Z',
        cappers: [
          {
            handle: 'ann',
            tier: 'elite',
            verified: true,
            pickUuid: 'uuid-ann',
            oddsAmerican: -110,
            line: -3.5,
            stakeUnits: 2.5,
            postedAt: '2026-01-18T15:00:00.000Z',
          },
          {
            handle: 'bob',
            tier: 'verified_sharp',
            verified: false,
            pickUuid: 'uuid-bob',
            oddsAmerican: -120,
            line: -3,
            stakeUnits: 1,
            postedAt: '2026-01-18T16:00:00.000Z',
          },
        ],
      },
    ]);
  });

  it('is not formed by one capper twice, or by listed cappers', () => {
    const twice = [sharpPick({ capperHandle: 'ann' }), sharpPick({ capperHandle: 'ann', pickUuid: 'again' })];
    expect(consensusGroups(twice)).to.deep.equal([]);
    const listed = sharpPick({ capperHandle: 'bob', capperTier: 'listed' });
    expect(consensusGroups([...twice, listed])).to.deep.equal([]);
    expect(consensusGroups([])).to.deep.equal([]);
  });

  it('separates games of the same teams by their announced start', () => {
    const later = { announcedStart: start + 4 * hour, startsAt: start + 4 * hour };
    const picks = [sharpPick({ capperHandle: 'ann' }), sharpPick({ capperHandle: 'bob', ...later })];
    expect(consensusGroups(picks)).to.deep.equal([]);
  });

  it("counts a capper's latest pick", () => {
    const [group] = consensusGroups([
      sharpPick({ capperHandle: 'ann', postedAt: start - 5 * hour, stakeE4: 90_000, oddsAmerican: 150 }),
      sharpPick({ capperHandle: 'ann', pickUuid: 'later', postedAt: start - hour, stakeE4: 5_000 }),
      sharpPick({ capperHandle: 'bob' }),
    ]);
    expect(group).to.include({ capperCount: 2, totalStakeUnits: 1.5, bestOddsAmerican: -110 });
    expect(group?.firstPostedAt).to.equal('2026-01-18T16:00:00.000Z');
    expect(group?.cappers.map(({ pickUuid }) => pickUuid)).to.deep.equal(['uuid-bob', 'later']);
  });

  it('omits a capper who is on both sides of a contest, on each of them', () => {
    const hedge = sharpPick({ capperHandle: 'cleo', side: 'away', lineE3: 3500 });
    const picks = [
      ...['ann', 'bob', 'cleo'].map((capperHandle) => sharpPick({ capperHandle })),
      ...['dan', 'eve'].map((capperHandle) => sharpPick({ capperHandle, side: 'away', lineE3: 3500 })),
      hedge,
    ];
    const counts = consensusGroups(picks).map(({ capperCount, opposingCount }) => [
      capperCount,
      opposingCount,
    ]);
    expect(counts).to.deep.equal([
      [2, 2],
      [2, 2],
    ]);
    const inOtherContests = [
      sharpPick({ capperHandle: 'ann', market: 'team_total', side: 'home_over' }),
      sharpPick({ capperHandle: 'ann', market: 'team_total', side: 'away_under', pickUuid: 'other' }),
      sharpPick({ capperHandle: 'bob', market: 'team_total', side: 'home_over' }),
    ];
    expect(consensusGroups(inOtherContests)).to.have.length(1);
    const [group] = consensusGroups(picks.slice(0, 3), [...picks.slice(0, 3), hedge]);
    expect(group).to.include({ capperCount: 2, opposingCount: 0 });
  });

  it('ranks by most cappers, then by most elite ones, then by the latest post', () => {
    const on = (market: string, ...handles: string[]) =>
      handles.map((capperHandle) => sharpPick({ capperHandle, market, lineE3: null }));
    const groups = consensusGroups([
      ...on('one', 'ann', 'bob'),
      ...on('two', 'ann', 'bob').map((pick) => ({ ...pick, postedAt: pick.postedAt + 1 })),
      ...on('three', 'ann', 'bob').map((pick) => ({ ...pick, capperTier: 'elite' as const })),
      ...on('four', 'ann', 'bob', 'cleo'),
    ]);
    expect(groups.map(({ market }) => market)).to.deep.equal(['four', 'three', 'two', 'one']);
  });

  it('does not depend on the order of the picks', () => {
    const withOrder = sharpPicks.chain((picks) => shuffled(picks).map((other) => ({ picks, other })));
    fc.assert(
      fc.property(withOrder, ({ picks, other }) => {
        expect(consensusGroups(other)).to.deep.equal(consensusGroups(picks));
      }),
    );
  });

  it('counts a capper once, on any picks', () => {
    fc.assert(
      fc.property(sharpPicks, (picks) => {
        for (const group of consensusGroups(picks)) {
          const sharp = picks.filter(
            (pick) =>
              pick.game === group.game && pick.market === group.market && pick.capperTier !== 'listed',
          );
          const here = sharp.filter(
            ({ capperHandle, side }) =>
              !sharp.some((other) => other.capperHandle === capperHandle && other.side !== side),
          );
          const on = (same: boolean) =>
            new Set(
              here.filter(({ side }) => (side === group.side) === same).map((pick) => pick.capperHandle),
            );
          expect(group.cappers.map(({ handle }) => handle)).to.have.members([...on(true)]);
          expect(group.capperCount).to.equal(on(true).size).and.to.be.at.least(2);
          expect(group.opposingCount).to.equal(on(false).size);
          expect(group.eliteCount + group.verifiedSharpCount).to.equal(group.capperCount);
        }
      }),
    );
  });

  it('does not change when a capper had the same pick earlier', () => {
    fc.assert(
      fc.property(sharpPicks, (picks) => {
        const earlier: ConsensusPick[] = picks.map((pick) => ({
          ...pick,
          pickUuid: `earlier-${pick.pickUuid}`,
          postedAt: pick.postedAt - 24 * hour,
        }));
        expect(consensusGroups([...picks, ...earlier])).to.deep.equal(consensusGroups(picks));
      }),
    );
  });
});

describe('the support of a side', () => {
  const ann = { capperHandle: 'ann', market: 'spread', side: 'home' };

  it('counts other sharp cappers on the side and against it, each once', () => {
    const others = [
      sharpPick({ capperHandle: 'ann', side: 'away' }),
      sharpPick({ capperHandle: 'bob' }),
      sharpPick({ capperHandle: 'bob', pickUuid: 'again' }),
      sharpPick({ capperHandle: 'cleo', side: 'away' }),
      sharpPick({ capperHandle: 'dan', capperTier: 'listed' }),
    ];
    expect(sideSupport(ann, others)).to.deep.equal({ with: 1, against: 1 });
    const hedge = sharpPick({ capperHandle: 'cleo', pickUuid: 'hedge' });
    expect(sideSupport(ann, [...others, hedge])).to.deep.equal({ with: 1, against: 0 });
    expect(sideSupport(ann, [])).to.deep.equal({ with: 0, against: 0 });
  });

  it("does not count picks on the other team's total as against", () => {
    const others = ['home_over', 'home_under', 'away_over', 'away_under', 'away_under'].map((side, index) =>
      sharpPick({ capperHandle: `capper-${index}`, market: 'team_total', side }),
    );
    const pick = { capperHandle: 'ann', market: 'team_total', side: 'away_over' };
    expect(sideSupport(pick, others)).to.deep.equal({ with: 1, against: 2 });
  });
});
