import { expect } from 'chai';
import { byMeanClv } from '../../../src/boards/cappers/leaderboard-clv.ts';
import { byNetUnits } from '../../../src/boards/cappers/leaderboard-units.ts';
import { ranked } from '../../../src/boards/cappers/standings.ts';
import { byExcess } from '../../../src/rules/against-price.ts';
import { emptyTally, type Tally } from '../../../src/rules/tally.ts';

describe('the order of leaderboards', () => {
  it('puts results that beat their prices before hits on favorites, and undecided cappers last', () => {
    const at = (wins: number, losses: number, breakEven: number) =>
      tally({
        wins,
        losses,
        breakEvenE9: (wins + losses) * breakEven * 1e9,
        breakEvenVarianceE9: (wins + losses) * breakEven * (1 - breakEven) * 1e9,
      });
    const favorites = at(663, 337, 0.71);
    const sharp = at(55, 45, 0.5);
    const sharpLonger = at(550, 450, 0.5);
    const perfect = at(2, 0, 0.5);
    const pushed = tally({ pushes: 5 });
    expect([pushed, favorites, perfect, sharp, sharpLonger].toSorted(byExcess)).to.deep.equal([
      sharpLonger,
      sharp,
      favorites,
      perfect,
      pushed,
    ]);
  });

  it('compares mean CLV exactly, then prefers the larger sample', () => {
    const third = tally({ clvSum: 1, clvSample: 3 });
    const alsoThird = tally({ clvSum: 10_000, clvSample: 30_000 });
    const justBelow = tally({ clvSum: 333_333_333, clvSample: 1_000_000_000 });
    const negative = tally({ clvSum: -1, clvSample: 1_000_000 });
    expect([negative, justBelow, third, alsoThird].toSorted(byMeanClv)).to.deep.equal([
      alsoThird,
      third,
      justBelow,
      negative,
    ]);
  });

  it('puts equal gains on a smaller stake first, and equal losses on a larger one', () => {
    const gains = [tally({ netE4: 5, stakedE4: 50 }), tally({ netE4: 5, stakedE4: 100 })];
    const nothing = [tally({ stakedE4: 10 }), tally({ pushes: 1 })];
    const losses = [tally({ netE4: -5, stakedE4: 100 }), tally({ netE4: -5, stakedE4: 50 })];
    const order = [...gains, ...nothing, ...losses];
    expect(order.toReversed().toSorted(byNetUnits)).to.deep.equal(order);
  });

  it('puts cappers below the minimum sample last, without a rank', () => {
    const few = {
      handle: 'lucky',
      tier: 'elite' as const,
      verified: true,
      tally: tally({ wins: 19, breakEvenE9: 9.5e9 }),
    };
    const enough = {
      handle: 'long',
      tier: 'elite' as const,
      verified: true,
      tally: tally({ wins: 10, losses: 10, breakEvenE9: 12e9 }),
    };
    const shown = (fewest: number) =>
      ranked([few, enough], byExcess, 3, ({ wins, losses }) => wins + losses >= fewest).cappers.map(
        ({ rank, handle }) => [rank, handle],
      );
    expect(shown(20)).to.deep.equal([
      [1, 'long'],
      [null, 'lucky'],
    ]);
    expect(shown(0)).to.deep.equal([
      [1, 'lucky'],
      [2, 'long'],
    ]);
  });

  it('gives equal cappers different ranks, by handle', () => {
    const standings = ['zoe', 'amy', 'b_b', 'b-b'].map((handle) => ({
      handle,
      tier: 'elite' as const,
      verified: true,
      tally: tally({ wins: 1, losses: 1 }),
    }));
    const { cappers } = ranked(standings, byExcess, 3);
    expect(cappers.map(({ rank, handle }) => [rank, handle])).to.deep.equal([
      [1, 'amy'],
      [2, 'b-b'],
      [3, 'b_b'],
    ]);
  });
});

function tally(given: Partial<Tally>): Tally {
  return { ...emptyTally(), ...given };
}
