import { expect } from 'chai';
import fc from 'fast-check';
import { type FollowDelay, followDelays, followerPrice } from '../../src/rules/follow.ts';
import { DELAYS, priceAfter } from '../naive/follow.ts';
import { americanOdds } from './arbitraries.ts';

const minute = 60_000;
const postedAt = Date.parse('2026-01-18T15:00:00Z');
const startsAt = postedAt + 180 * minute;

/** Returns the price that a book showed `after` minutes after the pick. */
const shown = (book: string, after: number, ...odds: number[]) => ({
  book,
  capturedAt: postedAt + after * minute,
  odds,
});

describe("a follower's price", () => {
  const at = (delay: FollowDelay, snapshots: ReturnType<typeof shown>[], start: number | null = startsAt) => {
    const price = followerPrice(snapshots, { postedAt, startsAt: start }, delay);
    return price === null || price === 'missed'
      ? price
      : [price.oddsAmerican, price.book, (price.capturedAt - postedAt) / minute];
  };

  it('is what a book shows first after the delay, for 15 minutes', () => {
    const rows = [
      shown('blue', 4.9, 150),
      shown('blue', 5, 110),
      shown('blue', 6, 120),
      shown('blue', 20, 90),
    ];
    expect(at(5, rows)).to.deep.equal([110, 'blue', 5]);
    expect(at(5, [shown('blue', 20, 105)])).to.deep.equal([105, 'blue', 20]);
    expect(at(5, [shown('blue', 4, 150), shown('blue', 20.01, 105)])).to.equal(null);
    expect(at(15, rows)).to.deep.equal([90, 'blue', 20]);
    expect(at(60, rows)).to.equal(null);
  });

  it('is the second best among books, each at its first sighting', () => {
    const books = [shown('red', 7, 115), shown('blue', 6, 110), shown('blue', 8, 130), shown('grey', 9, 115)];
    expect(at(5, books)).to.deep.equal([115, 'red', 7]);
    expect(at(5, books.slice(0, 2))).to.deep.equal([110, 'blue', 6]);
    expect(at(5, [shown('red', 6, -100), shown('blue', 7, 100)])).to.deep.equal([-100, 'red', 6]);
  });

  it('is missed if the books that were read then did not price the selection', () => {
    expect(at(5, [shown('blue', 6), shown('blue', 7, 130)])).to.equal('missed');
  });

  it('is the lower of two that a book shows at once', () => {
    expect(at(5, [shown('blue', 6, 120, 110, 115)])).to.deep.equal([110, 'blue', 6]);
  });

  it('comes from before the start, and is unknown without a start', () => {
    const rows = [shown('blue', 62, 110)];
    expect(at(60, rows)).to.deep.equal([110, 'blue', 62]);
    expect(at(60, rows, postedAt + 62 * minute)).to.equal(null);
    expect(at(60, rows, postedAt + 60 * minute), 'the game had started').to.equal('missed');
    expect(at(60, rows, null)).to.equal(null);
  });

  it('is what the plain computation finds', () => {
    expect([...followDelays]).to.deep.equal(DELAYS);
    const row = fc.record({
      book: fc.constantFrom('blue', 'red', 'grey'),
      side: fc.constantFrom('over', 'over', 'under'),
      lineE3: fc.constantFrom(8000, 8500),
      oddsAmerican: fc.oneof(fc.constantFrom(-110, -100, 100, 105), americanOdds),
      capturedAt: fc.integer({ min: -5, max: 85 }).map((minutes) => postedAt + minutes * minute),
      closing: fc.boolean(),
    });
    const start = fc.option(fc.integer({ min: 1, max: 90 }).map((minutes) => postedAt + minutes * minute));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 25 }), start, (rows, startsAt) => {
        const bet = { side: 'over', lineE3: 8000, postedAt };
        const snapshots = Object.values(
          Object.groupBy(rows, ({ book, capturedAt }) => `${book} ${capturedAt}`),
        ).map((of) => ({
          ...of![0]!,
          odds: of!
            .filter(({ side, lineE3 }) => side === bet.side && lineE3 === bet.lineE3)
            .map(({ oddsAmerican }) => oddsAmerican),
        }));
        for (const delay of followDelays)
          expect(followerPrice(snapshots, { postedAt, startsAt }, delay)).to.deep.equal(
            priceAfter(bet, startsAt, rows, delay),
          );
      }),
      { numRuns: 1000 },
    );
  });
});
