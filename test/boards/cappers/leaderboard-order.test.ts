import { expect } from 'chai';
import { byClv, byUnits, byYield } from '../../../src/boards/cappers/leaderboard.ts';
import { inOrder, type Order, placeOf, ranked } from '../../../src/boards/cappers/places.ts';
import { emptyTally, type Tally } from '../../../src/rules/tally.ts';

/** Returns the ranks and names of tallies in order. */
function ranksOf(
  tallies: Record<string, Tally>,
  order: Order,
  fewest = 0,
): [rank: number | null, handle: string][] {
  const places = Object.entries(tallies).map(([handle, tally], id) =>
    placeOf(order, { id, handle, ...tally }),
  );
  return ranked(inOrder(places), { fewest }).map(({ rank, handle }) => [rank, handle]);
}

/** Returns whole results at one price. */
const at = (wins: number, losses: number, decimal: number) =>
  tally({
    wins,
    losses,
    flatE6: (wins * (decimal - 1) - losses) * 1e6,
    flatVarianceE6: (wins + losses) * (decimal - 1) * 1e6,
  });

describe('the order of leaderboards', () => {
  it('puts results that beat their prices before hits on favorites and lucky long shots, and undecided cappers last', () => {
    const order = ranksOf(
      {
        pushed: tally({ pushes: 5 }),
        favorites: at(663, 337, 1.4),
        perfect: at(2, 0, 2),
        longShot: at(5, 25, 26),
        sharp: at(55, 45, 2),
        sharpLonger: at(550, 450, 2),
      },
      byYield,
    );
    expect(order.map(([, handle]) => handle)).to.deep.equal([
      ...['sharpLonger', 'sharp', 'longShot', 'perfect', 'favorites', 'pushed'],
    ]);
  });

  it('compares mean CLV exactly, then prefers the larger sample', () => {
    const third = tally({ clvSum: 1, clvSample: 3 });
    const alsoThird = tally({ clvSum: 10_000, clvSample: 30_000 });
    const justBelow = tally({ clvSum: 333_333_333, clvSample: 1_000_000_000 });
    const negative = tally({ clvSum: -1, clvSample: 1_000_000 });
    expect(ranksOf({ negative, justBelow, third, alsoThird, none: tally({}) }, byClv, 1)).to.deep.equal([
      [1, 'alsoThird'],
      [1, 'third'],
      [3, 'justBelow'],
      [4, 'negative'],
      [null, 'none'],
    ]);
  });

  it('puts equal gains on a smaller stake first, and equal losses on a larger one', () => {
    const tallies = {
      gain: tally({ netE4: 5, stakedE4: 50 }),
      gainOnMore: tally({ netE4: 5, stakedE4: 100 }),
      even: tally({ stakedE4: 10 }),
      pushed: tally({ pushes: 1 }),
      lossOnMore: tally({ netE4: -5, stakedE4: 100 }),
      loss: tally({ netE4: -5, stakedE4: 50 }),
    };
    const reversed = Object.fromEntries(Object.entries(tallies).toReversed());
    expect(ranksOf(reversed, byUnits)).to.deep.equal(
      Object.keys(tallies).map((handle, index) => [[1, 1, 3, 3, 5, 5][index], handle]),
    );
  });

  it('puts cappers below the minimum sample last, without a rank', () => {
    const tallies = { lucky: at(19, 0, 2), long: at(8, 12, 2) };
    expect(ranksOf(tallies, byYield, 20)).to.deep.equal([
      [1, 'long'],
      [null, 'lucky'],
    ]);
    expect(ranksOf(tallies, byYield)).to.deep.equal([
      [1, 'lucky'],
      [2, 'long'],
    ]);
  });

  it('gives equal cappers the same rank, by handle', () => {
    const tallies = Object.fromEntries(['zoe', 'amy', 'b_b', 'b-b'].map((handle) => [handle, at(1, 1, 2)]));
    expect(ranksOf({ ...tallies, ann: at(0, 2, 2) }, byYield)).to.deep.equal([
      [1, 'amy'],
      [1, 'b-b'],
      [1, 'b_b'],
      [1, 'zoe'],
      [5, 'ann'],
    ]);
  });
});

function tally(given: Partial<Tally>): Tally {
  return { ...emptyTally(), ...given };
}
