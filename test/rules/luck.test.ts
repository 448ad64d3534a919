import { expect } from 'chai';
import fc from 'fast-check';
import { oddsBandOf, oddsBands } from '../../src/rules/bands.ts';
import {
  deepestDrawdown,
  fillDraws,
  luckOf,
  maxSimulated,
  type PlayedPick,
  simulations,
  winsBelow,
} from '../../src/rules/luck.ts';
import { breakEvenOf, netUnitsE4 } from '../../src/rules/odds.ts';
import { longestLosingRun, losingRuns } from '../../src/rules/streaks.ts';
import { drawsOf } from '../naive/luck.ts';
import { americanOdds } from './arbitraries.ts';

/** Returns a deterministic generator of another kind than the one under test (SplitMix32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** `npm run attack` plays four times as many records, which halves the sampling error of shares. */
const isFull = process.env.ATTACK === 'full';
const times = isFull ? 4 : 1;
const off = isFull ? 1 : 2;

/** UUIDs that differ only in their last digits, the hardest case for a seed. */
const uuidOf = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;

/** Returns prices and stakes of some picks. */
function picksOf(count: number, random: () => number, longShots: boolean): PlayedPick[] {
  const everyday = [-250, -160, -120, -110, -110, -105, 100, 120, 150, 220];
  const prices = longShots ? [...everyday, 400, 800, 1500] : everyday;
  const from = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  return Array.from({ length: count }, (_, index) => ({
    pickUuid: uuidOf(index + Math.floor(random() * 2 ** 40)),
    oddsAmerican: from(prices),
    stakeE4: from([5_000, 10_000, 10_000, 20_000, 30_000]),
  }));
}

/**
 * Returns a function that plays the same picks at each call and returns their net units. Each wins with the probability of its break-even.
 */
function playing(picks: readonly PlayedPick[], random: () => number): () => number[] {
  const ends = picks.map(({ stakeE4, oddsAmerican }) => ({
    chance: breakEvenOf(oddsAmerican),
    win: netUnitsE4('win', stakeE4, oddsAmerican),
    loss: netUnitsE4('loss', stakeE4, oddsAmerican),
  }));
  // It runs millions of times, and loops take half as long as closures.
  return () => {
    const nets: number[] = [];
    for (const { chance, win, loss } of ends) nets.push(random() < chance ? win : loss);
    return nets;
  };
}

/** Adds up net units, starting at an index. */
function sumOf(nets: readonly number[], from = 0): number {
  let total = 0;
  for (let index = from; index < nets.length; index += 1) total += nets[index]!;
  return total;
}

describe('the draws of a pick', () => {
  it('are those of xoshiro128**, seeded by its UUID', () => {
    const draws = new Uint32Array(simulations);
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        fillDraws(uuid, draws);
        expect([...draws]).to.deep.equal(drawsOf(uuid));
      }),
      { numRuns: 20 },
    );
  });

  it('win as often as the price breaks even, and are independent for similar UUIDs', () => {
    const draws = new Uint32Array(simulations);
    let [wins, pairs] = [0, 0];
    let before = new Uint32Array(simulations);
    const picks = 400;
    for (let index = 0; index < picks; index += 1) {
      fillDraws(uuidOf(index), draws);
      wins += draws.filter((draw) => draw < winsBelow(-150)).length;
      pairs += draws.filter((draw, each) => draw < 2 ** 31 === before[each]! < 2 ** 31).length;
      before = draws.slice();
    }
    const all = picks * simulations;
    // Four standard deviations of that number of draws.
    expect(wins / all).to.be.closeTo(0.6, 4 * Math.sqrt(0.24 / all));
    expect(pairs / all).to.be.closeTo(0.5, 4 * Math.sqrt(0.25 / all) + 1 / picks);
  });
});

describe('the effect of chance on a record', () => {
  for (const { what, picks: count, lists: fewest, longShots } of [
    { what: 'few picks', picks: 60, lists: 10, longShots: false },
    { what: 'some hundred picks', picks: 250, lists: 5, longShots: true },
    {
      what: 'enough picks for the normal distribution',
      picks: maxSimulated + 200,
      lists: 2,
      longShots: true,
    },
  ])
    it(`covers 95% of cappers without skill, within ${isFull ? 'a point' : 'two points'}: ${what}`, () => {
      const random = randomOf(count);
      const lists = isFull ? 3 * fewest : fewest;
      const each = Math.ceil((times * 1_000) / lists);
      let [ended, shown, fell] = [0, 0, 0];
      for (let list = 0; list < lists; list += 1) {
        const picks = picksOf(count, random, longShots);
        const half = count >> 1;
        const chance = luckOf(picks, [count], half);
        const [band] = chance.bands;
        const play = playing(picks, random);
        for (let record = 0; record < each; record += 1) {
          const nets = play();
          const [end, later] = [sumOf(nets), sumOf(nets, half)];
          if (end >= chance.whole.low && end <= chance.whole.high) ended += 1;
          if (later >= band!.low && later <= band!.high) shown += 1;
          if ((deepestDrawdown(nets)?.fallE4 ?? 0) <= chance.fallHigh) fell += 1;
        }
      }
      expect((100 * ended) / (lists * each)).to.be.closeTo(95, off);
      expect((100 * shown) / (lists * each)).to.be.closeTo(95, off);
      // With few picks, drawdowns take few values, and those of long shots are less deep than a Brownian motion's: the limit is then
      // conservative.
      const [least, most] = count > maxSimulated ? [95, 97] : [95, 96];
      expect((100 * fell) / (lists * each)).to.be.within(least! - off, most! + off);
    });

  it('has the true frequency of records that end as high and fall as deep', () => {
    for (const count of [200, maxSimulated + 200]) {
      const random = randomOf(count + 1);
      const picks = picksOf(count, random, false);
      const size = times * 750;
      const play = playing(picks, random);
      const records = Array.from({ length: size }, () => {
        const nets = play();
        return { end: sumOf(nets), fall: deepestDrawdown(nets)?.fallE4 ?? 0 };
      });
      const chance = luckOf(picks, [], 0);
      for (const limit of [-200_000, 0, 150_000, 400_000]) {
        const often = records.filter(({ end }) => end >= limit).length / size;
        expect(chance.endsAsHigh(limit), `${count} ${limit}`).to.be.closeTo(often, off * 0.03);
      }
      for (const limit of [100_000, 250_000, 500_000]) {
        const often = records.filter(({ fall }) => fall >= limit).length / size;
        expect(chance.fallsAsDeep(limit), `${count} ${limit}`).to.be.closeTo(often, off * 0.04);
      }
    }
  });

  it('is the same for the same picks', () => {
    const picks = picksOf(50, randomOf(3), true);
    const [first, second] = [luckOf(picks, [10, 50], 5), luckOf(picks, [10, 50], 5)];
    expect(first.whole).to.deep.equal(second.whole);
    expect(first.bands).to.deep.equal(second.bands);
  });

  it('is nothing without picks', () => {
    const { whole, bands, fallHigh, endsAsHigh } = luckOf([], [0], 0);
    expect({ whole, bands, fallHigh }).to.deep.equal({
      whole: { low: 0, high: 0 },
      bands: [{ low: 0, high: 0 }],
      fallHigh: 0,
    });
    expect(endsAsHigh(0)).to.equal(1);
  });
});

describe('the longest losing run', () => {
  const runOf = (letters: string) =>
    longestLosingRun([...letters].map((letter) => ({ won: letter === 'W' })));

  it('has its first and last pick, and is the first of several equally long ones', () => {
    expect(runOf('WLLWLLLWLLL')).to.deep.equal({ length: 3, from: 4, to: 6 });
    expect(runOf('LL')).to.deep.equal({ length: 2, from: 0, to: 1 });
    expect(runOf('WW')).to.equal(undefined);
  });

  it('has the probability found by enumerating all outcomes', () => {
    fc.assert(
      fc.property(
        fc.array(americanOdds, { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 1, max: 10 }),
        (odds, length) => {
          let share = 0;
          for (let outcome = 0; outcome < 2 ** odds.length; outcome += 1) {
            const picks = odds.map((_, index) => ({ won: ((outcome >> index) & 1) === 1 }));
            if ((longestLosingRun(picks)?.length ?? 0) < length) continue;
            share += odds.reduce((product, american, index) => {
              const p = breakEvenOf(american);
              return product * (picks[index]!.won ? p : 1 - p);
            }, 1);
          }
          expect(losingRuns(odds).asLong(length)).to.be.closeTo(share, 1e-9);
        },
      ),
    );
  });

  it('has the probability found by counting from pick to pick, even for impossible runs', () => {
    const counted = (odds: readonly number[], length: number) => {
      // The probability of each current number of losses in a row, without a run of the given length.
      let chances = [1, ...Array<number>(length - 1).fill(0)];
      for (const american of odds) {
        const win = breakEvenOf(american);
        const won = chances.reduce((sum, chance) => sum + chance, 0) * win;
        chances = [won, ...chances.slice(0, -1).map((chance) => chance * (1 - win))];
      }
      return 1 - chances.reduce((sum, chance) => sum + chance, 0);
    };
    const extremes = fc.constantFrom(-100_000, -20_000, 100_000, 5_000);
    const stretch = fc.tuple(fc.oneof(americanOdds, extremes), fc.integer({ min: 1, max: 250 }));
    const stretches = fc.array(stretch, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(stretches, fc.integer({ min: 1, max: 150 }), (given, length) => {
        const odds = given.flatMap(([price, times]) => Array<number>(times).fill(price));
        expect(losingRuns(odds).asLong(length)).to.be.closeTo(counted(odds, length), 1e-9);
      }),
    );
  });

  it('has its median and 95th percentile where the probability passes them', () => {
    for (const price of [-110, -10_000, 10_000]) {
      const runs = losingRuns(Array<number>(500).fill(price));
      for (const share of [0.5, 0.05]) {
        const length = runs.exceededBy(share);
        if (length < 500) expect(runs.asLong(length + 1)).to.be.at.most(share);
        if (length > 0) expect(runs.asLong(length)).to.be.above(share);
      }
    }
    expect(losingRuns([]).exceededBy(0.5)).to.equal(0);
  });
});

describe('the deepest drawdown', () => {
  it('is counted from the highest point so far, 0 before the first pick', () => {
    expect(deepestDrawdown([-2, 5, -1, -3, 2, -1])).to.deep.equal({ fallE4: 4, from: 2, to: 3 });
    expect(deepestDrawdown([-2, 1])).to.deep.equal({ fallE4: 2, from: 0, to: 0 });
    expect(deepestDrawdown([1, 2])).to.equal(undefined);
  });
});

describe('the bands of prices', () => {
  it('contain every price once, in order', () => {
    fc.assert(
      fc.property(americanOdds, (odds) => {
        const holding = oddsBands.filter(({ fromOdds, toOdds }) => {
          const [from, to] = [fromOdds ?? -Infinity, toOdds ?? Infinity];
          // -100 and +100 are one price.
          const price = odds === 100 ? -100 : odds;
          return from === -100 ? price >= -100 && price <= to : price >= from && price <= to;
        });
        expect(holding).to.deep.equal([oddsBands[oddsBandOf(odds)]]);
      }),
    );
  });
});
