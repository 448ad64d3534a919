import { expect } from 'chai';
import fc from 'fast-check';
import { resolvedGroups, sideResult, wasEverActive } from '../../src/rules/resolved-groups.ts';
import { everActive } from '../naive/consensus.ts';
import { shuffled } from './arbitraries.ts';
import { hour, sharpPick, sharpPicks, start } from './sharp-picks.ts';

const won = { result: 'win' as const, settledAt: start + 3 * hour };

describe('a group that was ever active', () => {
  const ann = sharpPick({ capperHandle: 'ann', postedAt: start - 12 * hour });
  const bob = (hours: number) => sharpPick({ capperHandle: 'bob', postedAt: start - hours * hour });

  it('had two different cappers pending within 6 hours, exactly 6 included', () => {
    expect(wasEverActive([ann, bob(6)])).to.equal(true);
    expect(wasEverActive([bob(6), ann])).to.equal(true);
    expect(wasEverActive([ann, bob(5.99)])).to.equal(false);
    expect(wasEverActive([ann, { ...bob(8), capperHandle: 'ann' }])).to.equal(false);
    expect(wasEverActive([ann, { ...bob(8), capperTier: 'listed' }])).to.equal(false);
  });

  it('excludes a pick that settled before the other was posted', () => {
    const settled = { ...ann, result: 'void' as const, settledAt: start - 9 * hour };
    expect(wasEverActive([settled, bob(8)])).to.equal(false);
    expect(wasEverActive([settled, bob(9)])).to.equal(false);
    expect(wasEverActive([settled, bob(9.01)])).to.equal(true);
  });

  it('is found whatever happened between the two posts', () => {
    const again = { ...ann, pickUuid: 'again', postedAt: start - 9 * hour };
    expect(wasEverActive([ann, again, bob(4)])).to.equal(true);
    expect(wasEverActive([ann, again, bob(2)])).to.equal(false);
  });
});

describe('resolved groups', () => {
  it('have every sharp pick settled, and count all of them', () => {
    const picks = [
      sharpPick({ capperHandle: 'ann', ...won }),
      sharpPick({
        capperHandle: 'ann',
        pickUuid: 'again',
        lineE3: -3000,
        result: 'push',
        settledAt: start + hour,
      }),
      sharpPick({ capperHandle: 'bob', ...won, settledAt: start + 4 * hour }),
      sharpPick({ capperHandle: 'cleo', side: 'away', result: 'loss', settledAt: start + 3 * hour }),
    ];
    const groups = resolvedGroups(picks);
    expect(groups).to.have.length(1);
    expect(groups[0]).to.include({
      side: 'home',
      result: 'mixed',
      resolvedAt: '2026-01-18T22:00:00.000Z',
      capperCount: 2,
      opposingCount: 1,
      wins: 2,
      losses: 0,
      pushes: 1,
      voids: 0,
    });
    const pending = sharpPick({ capperHandle: 'dan', postedAt: start - 30 * hour });
    expect(resolvedGroups([...picks, pending])).to.deep.equal([]);
    expect(resolvedGroups([...picks, { ...pending, capperTier: 'listed' }])).to.have.length(1);
  });

  it('were active once', () => {
    const picks = [
      sharpPick({ capperHandle: 'ann', ...won, postedAt: start - 9 * hour }),
      sharpPick({ capperHandle: 'bob', ...won }),
    ];
    expect(resolvedGroups(picks)).to.deep.equal([]);
  });

  it('have the result of their side, or mixed if lines differed', () => {
    expect(sideResult(['win', 'win'])).to.equal('win');
    expect(sideResult(['void'])).to.equal('void');
    expect(sideResult(['push', 'win', 'push'])).to.equal('mixed');
    expect(() => sideResult([])).to.throw(RangeError);
  });

  it('equal the naive ones for any picks in any order, the latest resolved first', () => {
    const withOrder = sharpPicks.chain((picks) => shuffled(picks).map((other) => ({ picks, other })));
    fc.assert(
      fc.property(withOrder, ({ picks, other }) => {
        const groups = resolvedGroups(picks);
        expect(resolvedGroups(other)).to.deep.equal(groups);
        const instants = groups.map(({ resolvedAt }) => resolvedAt);
        expect(instants).to.deep.equal(instants.toSorted().toReversed());
        const all = picks.filter(({ capperTier }) => capperTier !== 'listed');
        const sharp = all.filter(
          (pick) =>
            !all.some(
              (other) =>
                other.capperHandle === pick.capperHandle &&
                other.game === pick.game &&
                other.market === pick.market &&
                other.side !== pick.side,
            ),
        );
        const sideOf = ({ game, market, side }: (typeof groups)[number] | (typeof sharp)[number]) =>
          `${game} ${market} ${side}`;
        const expected = [...new Set(sharp.map(sideOf))].filter((side) => {
          const members = sharp.filter((pick) => sideOf(pick) === side);
          return members.every(({ result }) => result !== null) && everActive(members as never);
        });
        expect(groups.map(sideOf)).to.have.members(expected);
      }),
    );
  });
});
