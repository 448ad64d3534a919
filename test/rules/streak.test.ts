import { expect } from 'chai';
import fc from 'fast-check';
import {
  compareSettled,
  extendStreak,
  noStreak,
  type SettledPick,
  streakOf,
} from '../../src/rules/streak.ts';
import type { Result } from '../../src/rules/vocabulary.ts';
import { result, shuffled } from './arbitraries.ts';

const names: Record<string, Result> = { W: 'win', L: 'loss', P: 'push', V: 'void' };

/** `WWPL`: settled one after the other, at instants 1, 2, 3, ... */
function settled(letters: string): SettledPick[] {
  return [...letters].map((letter, index) => ({
    result: names[letter]!,
    settledAt: index + 1,
    postedAt: index,
    pickUuid: `pick-${String(index).padStart(3, '0')}`,
  }));
}

/** Few instants and names, so that ties are common; no two picks alike in all three. */
const picks: fc.Arbitrary<SettledPick[]> = fc.uniqueArray(
  fc.record({
    result,
    settledAt: fc.integer({ min: 1, max: 5 }),
    postedAt: fc.integer({ min: 0, max: 2 }),
    pickUuid: fc.uuid(),
  }),
  { selector: ({ pickUuid }) => pickUuid, maxLength: 30 },
);

describe('streak', () => {
  it('counts the last results of one kind', () => {
    const examples: [letters: string, kind: 'W' | 'L' | null, length: number, since: number | null][] = [
      ['', null, 0, null],
      ['W', 'W', 1, 1],
      ['LWWW', 'W', 3, 2],
      ['WWWL', 'L', 1, 4],
      ['WLPV', 'L', 1, 2],
      ['WPWVW', 'W', 3, 1],
      ['PV', null, 0, null],
      ['WWPLPL', 'L', 2, 4],
    ];
    for (const [letters, kind, length, since] of examples)
      expect(streakOf(settled(letters)), letters).to.include({ kind, length, since });
  });

  it('says when its last win or loss settled', () => {
    expect(streakOf(settled('WWPV'))).to.include({
      lastSettledAt: 2,
      lastPostedAt: 1,
      lastPickUuid: 'pick-001',
    });
  });

  it('orders by settledAt, then postedAt, then uuid', () => {
    const pick = (settledAt: number, postedAt: number, pickUuid: string, outcome: Result): SettledPick => ({
      result: outcome,
      settledAt,
      postedAt,
      pickUuid,
    });
    const order = [
      pick(1, 9, 'z', 'loss'),
      pick(2, 1, 'y', 'loss'),
      pick(2, 2, 'a', 'win'),
      pick(2, 2, 'b', 'win'),
    ];
    expect(order.toReversed().toSorted(compareSettled)).to.deep.equal(order);
    expect(streakOf(order.toReversed())).to.include({ kind: 'W', length: 2 });
    expect(compareSettled(order[0]!, order[0]!)).to.equal(0);
  });

  it('runs on with each new result as if it were made anew', () => {
    fc.assert(
      fc.property(picks, (list) => {
        const inOrder = list.toSorted(compareSettled);
        let running = noStreak;
        inOrder.forEach((pick, index) => {
          running = extendStreak(running, pick) ?? expect.fail('a later pick must extend');
          expect(running).to.deep.equal(streakOf(inOrder.slice(0, index + 1)));
        });
      }),
    );
  });

  it('asks to be made anew when a result comes that settled before its last one', () => {
    const [first, second, third] = settled('WLW') as [SettledPick, SettledPick, SettledPick];
    const streak = streakOf([first, third]);
    expect(extendStreak(streak, second)).to.equal(null);
    expect(extendStreak(streak, third)).to.equal(null);
    expect(extendStreak(streak, { ...second, result: 'push' })).to.equal(streak);
  });

  it('is the same in any order of the picks', () => {
    const withOrder = picks.chain((list) => shuffled(list).map((other) => ({ list, other })));
    fc.assert(
      fc.property(withOrder, ({ list, other }) => {
        expect(streakOf(other)).to.deep.equal(streakOf(list));
      }),
    );
  });

  it('is never changed by a push or void, wherever it falls', () => {
    fc.assert(
      fc.property(picks, (list) => {
        const decided = list.filter((pick) => pick.result === 'win' || pick.result === 'loss');
        expect(streakOf(list)).to.deep.equal(streakOf(decided));
      }),
    );
  });

  it('counts a pick once that is given twice', () => {
    const list = settled('LWW');
    expect(streakOf([...list, ...list])).to.deep.equal(streakOf(list));
  });
});
