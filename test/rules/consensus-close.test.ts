import { expect } from 'chai';
import { closingSnapshots, type PriceRow } from '../../src/rules/closing-snapshot.ts';
import { consensusClose } from '../../src/rules/consensus-close.ts';
import type { EdgePick } from '../../src/rules/edge.ts';

const start = 1_000_000_000;
const pick: EdgePick = {
  sport: 'nfl',
  market: 'spread',
  side: 'home',
  lineE3: -3500,
  oddsAmerican: 100,
  moneylineWays: 2,
};

/** Returns a book's prices of both sides of a spread, at the home side's line. */
function book(name: string, home: number, away: number, lineE3 = -3500): PriceRow[] {
  const row = { book: name, capturedAt: start - 60_000, closing: false };
  return [
    { ...row, side: 'home', lineE3, oddsAmerican: home },
    { ...row, side: 'away', lineE3: -lineE3, oddsAmerican: away },
  ];
}

const consensus = (...rows: PriceRow[][]) =>
  consensusClose(pick, closingSnapshots('spread', rows.flat(), start).values());

describe('the closing of several books', () => {
  it("is the median of their probabilities, each without the book's margin", () => {
    // 50%, 50% at a larger margin, and 60%.
    const prices = [book('a', -110, -110), book('b', -120, -120), book('c', -150, 150)];
    expect(consensus(...prices)).to.deep.equal({ books: 3, fairPct: 50, edgePct: 0 });
    // Between 50% and 60%.
    expect(consensus(prices[0]!, prices[2]!)).to.deep.equal({ books: 2, fairPct: 55, edgePct: 10 });
  });

  it("omits books without both sides at the pick's own line", () => {
    const [home] = book('c', -110, -110);
    expect(consensus(book('a', -110, -110), book('b', -150, 130, -4500), [home!])).to.include({ books: 1 });
    expect(consensus(book('b', -150, 130, -4500))).to.equal(null);
    expect(consensus()).to.equal(null);
  });

  it('is absent in a market whose sides are not known', () => {
    const snapshots = closingSnapshots('spread', book('a', -110, -110), start).values();
    expect(consensusClose({ ...pick, market: 'first_basket' }, snapshots)).to.equal(null);
  });
});
