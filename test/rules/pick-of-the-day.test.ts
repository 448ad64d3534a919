import { expect } from 'chai';
import fc from 'fast-check';
import { choosePickOfTheDay, pickOfTheDayFrom } from '../../src/rules/confidence.ts';
import { shuffled } from './arbitraries.ts';

const candidate = { pickUuid: 'b', index: 61.5, tier: 'verified_sharp' as const, postedAt: 100 };

describe('the Pick of the Day', () => {
  it('has the highest index, then the better tier, then the earliest post, then the smaller UUID', () => {
    const order = [
      { ...candidate, index: 61.6, tier: 'listed' as const },
      { ...candidate, tier: 'elite' as const, postedAt: 200 },
      { ...candidate, postedAt: 99 },
      { ...candidate, pickUuid: 'a' },
      candidate,
    ];
    for (let from = 0; from < order.length; from += 1)
      expect(choosePickOfTheDay(order.slice(from).toReversed())).to.equal(order[from]);
  });

  it('is absent without a candidate', () => {
    expect(choosePickOfTheDay([])).to.equal(null);
  });

  it('does not depend on the order of the candidates', () => {
    const candidates = fc.uniqueArray(
      fc.record({
        pickUuid: fc.uuid(),
        index: fc.constantFrom(50, 50.1),
        tier: fc.constantFrom('elite' as const, 'listed' as const),
        postedAt: fc.nat(2),
      }),
      { selector: ({ pickUuid }) => pickUuid, minLength: 1 },
    );
    const withOrder = candidates.chain((list) => shuffled(list).map((other) => ({ list, other })));
    fc.assert(
      fc.property(withOrder, ({ list, other }) => {
        expect(choosePickOfTheDay(other)).to.equal(choosePickOfTheDay(list));
      }),
    );
  });

  it('is chosen from 09:00 Eastern Time on, even when the clocks change', () => {
    const examples: [day: string, from: string][] = [
      ['2026-01-18', '2026-01-18T14:00:00.000Z'],
      ['2026-07-04', '2026-07-04T13:00:00.000Z'],
      ['2026-03-08', '2026-03-08T13:00:00.000Z'],
      ['2026-11-01', '2026-11-01T14:00:00.000Z'],
    ];
    for (const [day, from] of examples) expect(new Date(pickOfTheDayFrom(day)).toISOString()).to.equal(from);
  });
});
