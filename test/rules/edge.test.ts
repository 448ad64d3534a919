import { expect } from 'chai';
import fc from 'fast-check';
import { closingSnapshots, type PriceRow } from '../../src/rules/closing-snapshot.ts';
import { type EdgePick, edgeBps, fairChance, fairClose } from '../../src/rules/edge.ts';
import * as naiveClosing from '../naive/closing.ts';
import { decimalOdds, decimals, fraction, multiply, ONE, subtract } from '../naive/fraction.ts';
import { americanOdds } from './arbitraries.ts';

const start = 1_000_000_000;
const pick: EdgePick = { sport: 'nfl', market: 'spread', side: 'home', lineE3: -3500, moneylineWays: 2 };

const priced = (prices: Record<string, number>) =>
  Object.entries(prices).map(([side, oddsAmerican]) => ({ side, oddsAmerican }));

/** Returns a book's prices of both sides of a spread or total, at the first side's line. */
function book(
  name: string,
  one: number,
  other: number,
  lineE3 = -3500,
  sides: readonly string[] = ['home', 'away'],
): PriceRow[] {
  const row = { book: name, capturedAt: start - 60_000, closing: false };
  const otherE3 = sides[0] === 'home' ? -lineE3 || 0 : lineE3;
  return [
    { ...row, side: sides[0]!, lineE3, oddsAmerican: one },
    { ...row, side: sides[1]!, lineE3: otherE3, oddsAmerican: other },
  ];
}

const fair = (of: EdgePick, ...rows: PriceRow[][]) =>
  fairClose(of, closingSnapshots(of.market, rows.flat(), start).values());
const percent = (of: EdgePick, ...rows: PriceRow[][]) => (fair(of, ...rows)?.chanceE9 ?? Number.NaN) / 1e7;

describe('the fair probability of one book', () => {
  it('is the power of the implied one at which all sides add up to 1', () => {
    expect(fairChance(priced({ over: -110, under: -110 }), 'over')).to.equal(0.5);
    // 1.1 and 7.5: the power is 1.132, and the long shot gets less than its proportional share of 0.128.
    const wide = priced({ home: -1000, away: 650 });
    expect(fairChance(wide, 'home')).to.be.closeTo(0.8977, 1e-4);
    expect(fairChance(wide, 'away')).to.be.closeTo(0.1023, 1e-4);
    const three = priced({ home: 170, draw: 130, away: 340 });
    const chances = three.map(({ side }) => fairChance(three, side)!);
    expect(chances[0]! + chances[1]! + chances[2]!).to.be.closeTo(1, 1e-12);
    expect(chances[2]).to.be.below(1 / 4.4 / (1 / 2.7 + 1 / 2.3 + 1 / 4.4));
  });

  it('does not exist without a margin', () => {
    expect(fairChance(priced({ home: 100, away: -100 }), 'home')).to.equal(null);
    expect(fairChance(priced({ home: 110, away: 105 }), 'home')).to.equal(null);
    expect(fairChance(priced({ home: 150, away: -150 }), 'home')).to.equal(null);
    expect(fairChance(priced({ home: 150, away: -151 }), 'home')).to.be.a('number');
  });

  it('adds up to 1 and keeps the order of prices, at any odds', () => {
    fc.assert(
      fc.property(fc.array(americanOdds, { minLength: 2, maxLength: 3 }), (odds) => {
        const prices = odds.map((oddsAmerican, at) => ({ side: `side${at}`, oddsAmerican }));
        const chances = prices.map(({ side }) => fairChance(prices, side));
        if (chances[0] === null) return;
        expect(chances.reduce((sum, chance) => sum! + chance!, 0)).to.be.closeTo(1, 1e-9);
        prices.forEach((price, at) => {
          const implied =
            (1 / Number(decimalOdds(price.oddsAmerican).n)) * Number(decimalOdds(price.oddsAmerican).d);
          expect(chances[at]).to.be.within(0, implied + 1e-9);
        });
      }),
    );
  });
});

describe('the fair probability of a pick', () => {
  it("is the median of the books with every side at the pick's own line, whatever book it names", () => {
    const prices = [book('a', -110, -110), book('b', -120, -120), book('c', -150, 130)];
    expect(fair(pick, ...prices)).to.deep.equal({ chanceE9: 500_000_000, method: 'power', books: 3 });
    expect(percent(pick, prices[0]!, prices[2]!)).to.be.closeTo((50 + percent(pick, prices[2]!)) / 2, 1e-6);
    const [home] = book('d', 900, 900);
    expect(fair(pick, prices[0]!, [home!], book('e', -150, 130, -4500))).to.include({ books: 1 });
  });

  it('leaves out books without a margin', () => {
    expect(fair(pick, book('a', -110, -110), book('b', 200, -200))).to.include({ books: 1 });
    expect(fair(pick, book('b', 200, -200))).to.equal(null);
  });

  it('is carried over from main lines by a model only if no book has the whole market there', () => {
    const moved = [book('a', -110, -110, -2500), book('b', -105, -115, -2500)];
    expect(fair(pick, ...moved)).to.include({ method: 'margin_model', books: 2 });
    expect(percent(pick, ...moved)).to.be.within(44, 48);
    expect(fair(pick, ...moved, book('c', -110, -110))).to.include({ method: 'power', books: 1 });
    const tennis = { ...pick, sport: 'tennis', market: 'total', side: 'over', lineE3: 8500 };
    expect(fair(tennis, book('a', -110, -110, 9000, ['over', 'under']))).to.equal(null);
  });

  it('splits the stake of a quarter line between the neighboring half lines', () => {
    const total = { ...pick, sport: 'soccer', market: 'total', side: 'over' };
    const at = (lineE3: number) =>
      percent({ ...total, lineE3 }, book('a', -110, -110, 2500, ['over', 'under']));
    // At 2.5 both totals have a probability of 1/2, so 2.69 goals are expected. Exactly 2 occur in 25 of 100 games.
    expect(at(2500)).to.equal(50);
    expect(at(2250)).to.be.within(56.5, 57.5);
    expect(at(2000)).to.be.within(66, 67);
  });

  it('is absent if a side is missing, and in a market whose sides are not known', () => {
    expect(fair(pick, book('a', -110, -110).slice(0, 1))).to.equal(null);
    expect(fair({ ...pick, market: 'first_basket' }, book('a', -110, -110))).to.equal(null);
    expect(fair(pick)).to.equal(null);
  });

  it('agrees with a naive computation, over several books and moved lines', () => {
    const quarter = fc.integer({ min: -6, max: 6 }).map((steps) => steps * 250 || 0);
    const quotes = fc.array(fc.tuple(quarter, fc.integer({ min: -190, max: -100 }), americanOdds), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        fc.constantFrom('soccer', 'nfl', 'nhl'),
        fc.constantFrom(['home', 'away'], ['over', 'under']),
        quarter,
        quotes,
        americanOdds,
        (sport, sides, own, books, odds) => {
          const isSpread = sides[0] === 'home';
          const middle = isSpread ? 0 : { soccer: 2_500, nfl: 45_000, nhl: 6_000 }[sport]!;
          const bet = { ...pick, sport, market: isSpread ? 'spread' : 'total', side: sides[0]! };
          const of = { ...bet, lineE3: own + middle || 0 };
          const rows = books.map(([line, one, other], at) =>
            book(`book${at}`, one, other, line + middle || 0, sides),
          );
          const found = fair(of, ...rows);
          const expected = naiveClosing.fairAtClose(
            { ...of, oddsAmerican: odds, book: null },
            rows.flat(),
            start,
          );
          expect(found?.method).to.equal(expected?.method);
          expect(found?.books).to.equal(expected?.books);
          if (found !== null)
            expect(edgeBps(odds, found.chanceE9)).to.be.closeTo(
              naiveClosing.edgeAt(odds, expected)! * 100,
              1.01,
            );
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('the edge', () => {
  it('is the expected value of odds at the fair probability', () => {
    expect(edgeBps(100, 500_000_000)).to.equal(0);
    expect(edgeBps(105, 500_000_000)).to.equal(250);
    expect(edgeBps(-110, 500_000_000)).to.equal(-455);
  });

  it('agrees with exact fractions over the whole range of odds', () => {
    fc.assert(
      fc.property(americanOdds, fc.integer({ min: 1, max: 999_999_999 }), (odds, chanceE9) => {
        const gain = subtract(multiply(decimalOdds(odds), fraction(chanceE9, 1_000_000_000)), ONE);
        expect(edgeBps(odds, chanceE9)).to.equal(decimals(multiply(gain, fraction(10_000)), 0));
      }),
    );
  });
});
