import { expect } from 'chai';
import fc from 'fast-check';
import { closingSnapshots, type PriceRow } from '../../src/rules/closing-snapshot.ts';
import { checkPrice } from '../../src/rules/price-check.ts';
import { type FollowedPick, repeatedPrices } from '../../src/rules/repeated-prices.ts';
import * as naive from '../naive/closing.ts';
import * as follow from '../naive/follow.ts';
import { shuffled } from './arbitraries.ts';

type Price = PriceRow & { id: number; subject: string | null; byHand: boolean; storedAt: number };

const minute = 60_000;
const start = Date.parse('2026-01-18T18:00:00Z');
const hours = (count: number) => start + count * 60 * minute;

/** Returns `home -110, away 100` as shown by a book at each of these hours from the start. */
function shown(text: string, book: string, ...at: number[]): Omit<Price, 'id'>[] {
  return at.flatMap((hour) =>
    text.split(', ').map((price) => {
      const [side = '', odds] = price.split(' ');
      return {
        book,
        subject: null,
        side,
        lineE3: null,
        oddsAmerican: Number(odds),
        capturedAt: hours(hour),
        closing: false,
        byHand: false,
        storedAt: 0,
      };
    }),
  );
}

const stored = (rows: readonly Omit<Price, 'id'>[]): Price[] =>
  rows.map((row, index) => ({ ...row, id: index + 1 }));

/** Returns the hours of the removed prices, from the start. */
const removed = (
  rows: readonly Price[],
  {
    starts = [start],
    lastIds = [] as number[],
    postedAt = [] as number[],
    followed = [] as FollowedPick[],
  } = {},
) =>
  [
    ...new Set(
      repeatedPrices(rows, { starts, lastIds, postedAt, followed }).map(({ capturedAt }) => capturedAt),
    ),
  ].map((at) => (at - start) / (60 * minute));

describe('repeated prices', () => {
  it('are those between the first and the last time that a book showed them', () => {
    expect(removed(stored(shown('home -110, away 100', 'blue', -9, -8, -7, -6)))).to.deep.equal([-8, -7]);
    const moved = [...shown('home -110', 'blue', -9, -8, -7), ...shown('home -120', 'blue', -6, -5, -4)];
    expect(removed(stored(moved))).to.deep.equal([-8, -5]);
  });

  it('exclude those around the posting of a live pick', () => {
    const rows = stored(shown('home -110', 'blue', -9, -8, -7, -6, -5, -4));
    expect(removed(rows, { postedAt: [hours(-6.5)] })).to.deep.equal([-8, -5]);
    expect(removed(rows, { postedAt: [hours(-6)] })).to.deep.equal([-8, -7]);
  });

  it("include a provider's only if a provider repeats them", () => {
    const rows = stored(shown('home -110', 'blue', -9, -8, -7));
    for (const index of [0, 1, 2])
      expect(removed(rows.map((row, at) => ({ ...row, byHand: at === index })))).to.deep.equal([]);
  });

  it('comprise whole snapshots: one side that moves keeps both', () => {
    const rows = [
      ...shown('home -110, away 100', 'blue', -9, -7),
      ...shown('home -110, away 105', 'blue', -8),
    ];
    expect(removed(stored(rows))).to.deep.equal([]);
    const suspended = [...shown('home -110, away 100', 'blue', -9, -7), ...shown('home -110', 'blue', -8)];
    expect(removed(stored(suspended))).to.deep.equal([]);
  });

  it("comprise whole markets: another subject's price that moves keeps all", () => {
    const rows = ['ada', 'rory'].flatMap((subject) => {
      const prices =
        subject === 'ada' ? ['over -110', 'over -110', 'over -110'] : ['over -120', 'over -125', 'over -120'];
      return prices.flatMap((price, index) =>
        shown(price, 'blue', -9 + index).map((row) => ({ ...row, subject })),
      );
    });
    expect(removed(stored(rows))).to.deep.equal([]);
    expect(removed(stored(rows.filter(({ subject }) => subject === 'ada')))).to.deep.equal([-8]);
  });

  it('belong to one book', () => {
    const rows = [...shown('home -110', 'blue', -9, -7), ...shown('home -110', 'red', -8)];
    expect(removed(stored(rows))).to.deep.equal([]);
  });

  it('exclude the last ones at a start, and those that a book marks as closing', () => {
    const rows = stored(shown('home -110', 'blue', -3, -2, -1, 1, 2, 3));
    expect(removed(rows)).to.deep.equal([-2, 1, 2]);
    expect(removed(rows, { starts: [start, hours(1.5)] })).to.deep.equal([-2, 2]);
    const marked = rows.map((row) => ({ ...row, closing: row.capturedAt === hours(-2) }));
    expect(removed(marked)).to.deep.equal([1, 2]);
  });

  it('exclude the last ones that a closing knew', () => {
    const rows = stored(shown('home -110', 'blue', -4, -3, -2, -1));
    expect(removed(rows, { lastIds: [2] })).to.deep.equal([-2]);
    expect(removed(rows, { lastIds: [2, 4] })).to.deep.equal([-2]);
  });

  it('exclude the first ones that followers of a live pick found', () => {
    const rows = stored(shown('home -110', 'blue', -4, -3.5, -3, -2.5, -2, -1.5, -1));
    // Five minutes after -2.75 is -2.67, and the first price after that is at -2.5; an hour later it is -1.75.
    const pick = { subject: null, postedAt: hours(-2.75), lastId: Infinity };
    expect(removed(rows, { followed: [pick] })).to.deep.equal([-3.5, -3, -2]);
    expect(removed(rows, { followed: [{ ...pick, subject: 'ada' }] })).to.deep.equal([
      -3.5, -3, -2.5, -2, -1.5,
    ]);
    // The settlement knew none of them.
    expect(removed(rows, { followed: [{ ...pick, lastId: 3 }] })).to.deep.equal([-3.5, -3, -2.5, -2, -1.5]);
  });

  describe('among random prices', () => {
    const row = fc.record({
      book: fc.constantFrom('blue', 'red'),
      side: fc.constantFrom('over', 'under'),
      lineE3: fc.constantFrom(8000, 8500),
      oddsAmerican: fc.constantFrom(-110, 100),
    });
    // A snapshot is repeated several times, as in a feed that is polled more often than prices move.
    const feed = fc
      .array(
        fc.tuple(
          fc.array(row, { minLength: 1, maxLength: 3 }),
          fc.integer({ min: 1, max: 6 }),
          fc.integer({ min: 0, max: 19 }).map((chance) => chance === 0),
        ),
        { maxLength: 6 },
      )
      .map((runs) => {
        let at = -8 * 60;
        return runs.flatMap(([prices, times, closing]) =>
          Array.from({ length: times }, () => {
            at += 25;
            return prices.map((price) => ({
              ...price,
              subject: null,
              byHand: false,
              storedAt: 0,
              closing,
              capturedAt: start + at * minute,
            }));
          }).flat(),
        );
      });
    const at = fc.integer({ min: -9 * 60, max: 4 * 60 }).map((minutes) => start + minutes * minute);
    const cases = feed.chain((rows) =>
      fc.record({
        rows: fc.oneof(fc.constant(rows), shuffled(rows)).map(stored),
        starts: fc.array(at, { minLength: 1, maxLength: 3 }),
        lastIds: fc.array(fc.integer({ min: 0, max: rows.length + 1 }), { maxLength: 3 }),
        followed: fc.array(
          fc.record({
            subject: fc.constant(null),
            postedAt: at,
            lastId: fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: rows.length + 1 })),
          }),
          { maxLength: 3 },
        ),
      }),
    );
    const bets = ['over', 'under'].flatMap((side) =>
      ['blue', 'red', null].map((book) => ({ side, book, lineE3: 8500, oddsAmerican: 105 })),
    );

    it('change no closing when removed, at any start and whatever a closing knew', () => {
      fc.assert(
        fc.property(cases, ({ rows, ...lookups }) => {
          const { starts, lastIds } = lookups;
          const gone = new Set(repeatedPrices(rows, { ...lookups, postedAt: [] }));
          const kept = rows.filter((price) => !gone.has(price));
          for (const startsAt of starts)
            for (const lastId of [...lastIds, Infinity]) {
              const [all, some] = [rows, kept].map((prices) => prices.filter(({ id }) => id <= lastId)) as [
                Price[],
                Price[],
              ];
              for (const bet of bets)
                expect(
                  naive.closingOf({ ...bet, market: 'total', sport: 'nfl' }, some, startsAt),
                ).to.deep.equal(naive.closingOf({ ...bet, market: 'total', sport: 'nfl' }, all, startsAt));
              expect(closingSnapshots('total', some, startsAt)).to.deep.equal(
                closingSnapshots('total', all, startsAt),
              );
            }
        }),
      );
    });

    it('change no price check when removed, whatever a settlement knew', () => {
      const posted = fc.record({
        postedAt: at,
        side: fc.constantFrom('over', 'under'),
        lineE3: fc.constantFrom(8000, 8500, 9000),
        book: fc.constantFrom('blue', null),
      });
      const byHand = fc.infiniteStream(fc.boolean());
      fc.assert(
        fc.property(cases, fc.array(posted, { maxLength: 3 }), byHand, (given, bets, hands) => {
          const { starts, lastIds } = given;
          // A snapshot is by hand as a whole or not at all.
          const handAt = new Map<string, { byHand: boolean; storedAt: number }>();
          const rows = given.rows.map((row) => {
            const snapshot = `${row.book} ${row.capturedAt}`;
            const storedAt = row.capturedAt + (hands.next().value ? 0 : 24 * 60 * minute);
            handAt.set(snapshot, handAt.get(snapshot) ?? { byHand: hands.next().value, storedAt });
            return { ...row, market: 'total', ...handAt.get(snapshot)! };
          });
          const postedAt = bets.map((bet) => bet.postedAt);
          const gone = new Set(repeatedPrices(rows, { starts, lastIds, postedAt, followed: [] }));
          const kept = rows.filter((price) => !gone.has(price));
          for (const bet of bets)
            for (const lastId of [...lastIds, Infinity])
              for (const hasSource of [true, false]) {
                const known = (prices: typeof rows) => prices.filter(({ id }) => id <= lastId);
                const pick = { ...bet, sport: 'soccer', market: 'total', subject: null, oddsAmerican: 105 };
                const facts = { start: starts[0]!, hasSource, hasProvider: hasSource };
                expect(checkPrice(pick, known(kept), facts)).to.deep.equal(
                  checkPrice(pick, known(rows), facts),
                );
              }
        }),
        { numRuns: 500 },
      );
    });

    it("change no follower's price when removed, as far as the settlement knew them", () => {
      fc.assert(
        fc.property(cases, ({ rows, ...lookups }) => {
          const gone = new Set(repeatedPrices(rows, { ...lookups, postedAt: [] }));
          const kept = rows.filter((price) => !gone.has(price));
          for (const { postedAt, lastId } of lookups.followed)
            for (const side of ['over', 'under'])
              for (const delay of follow.DELAYS) {
                const found = (prices: Price[]) =>
                  follow.priceAfter(
                    { side, lineE3: 8500, postedAt },
                    start,
                    prices.filter(({ id }) => id <= lastId),
                    delay,
                  );
                expect(found(kept)).to.deep.equal(found(rows));
              }
        }),
        { numRuns: 300 },
      );
    });

    it('leave what each book shows at any moment, and when it first and last showed it', () => {
      fc.assert(
        fc.property(cases, ({ rows, ...lookups }) => {
          const gone = new Set(repeatedPrices(rows, { ...lookups, postedAt: [] }));
          const kept = rows.filter((price) => !gone.has(price));
          for (const book of ['blue', 'red']) {
            const instants = [
              ...new Set(rows.filter((own) => own.book === book).map((own) => own.capturedAt)),
            ];
            for (const instant of instants)
              expect(showing(kept, book, instant)).to.deep.equal(showing(rows, book, instant));
            const ends = (prices: Price[]) => {
              const own = prices.filter((price) => price.book === book).map(({ capturedAt }) => capturedAt);
              return [Math.min(...own), Math.max(...own)];
            };
            expect(ends(kept)).to.deep.equal(ends(rows));
          }
        }),
      );
    });

    it('are all removed by one pass', () => {
      fc.assert(
        fc.property(cases, ({ rows, starts, followed }) => {
          const lookups = {
            starts,
            lastIds: [],
            postedAt: [],
            followed: followed.map((pick) => ({ ...pick, lastId: Infinity })),
          };
          const gone = new Set(repeatedPrices(rows, lookups));
          const kept = rows.filter((price) => !gone.has(price));
          expect(repeatedPrices(kept, lookups)).to.deep.equal([]);
        }),
      );
    });
  });
});

/** Returns what a book shows at an instant: its latest snapshot, without its time. */
function showing(rows: readonly Price[], book: string, instant: number): string[] {
  const own = rows.filter((price) => price.book === book && price.capturedAt <= instant);
  const latest = Math.max(...own.map(({ capturedAt }) => capturedAt));
  const prices = own.filter(({ capturedAt }) => capturedAt === latest);
  return [
    ...new Set(prices.map(({ side, lineE3, oddsAmerican }) => `${side} ${lineE3} ${oddsAmerican}`)),
  ].sort();
}
