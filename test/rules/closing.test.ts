import { expect } from 'chai';
import fc from 'fast-check';
import { type Closing, closingMarket, closingOf, type PostedPick } from '../../src/rules/closing.ts';
import type { PriceRow } from '../../src/rules/closing-snapshot.ts';
import * as naive from '../naive/closing.ts';
import { americanOdds, shuffled } from './arbitraries.ts';

const chooseClosing = (rows: readonly PriceRow[], pick: PostedPick & { market: string }, startsAt: number) =>
  closingOf(closingMarket(pick.market, rows, startsAt), pick);

const start = Date.parse('2026-01-18T18:00:00Z');
const hour = 3_600_000;

/** Parses `home -3.5 -110`, captured at a book some hours before the start. An asterisk marks it as closing. */
function price(text: string, { book = 'blue', hours = 1 } = {}): PriceRow {
  const [side = '', line, odds] = text.replace('*', '').trim().split(' ');
  return {
    book,
    side,
    lineE3: line === '-' ? null : Number(line) * 1000,
    oddsAmerican: Number(odds),
    capturedAt: start - hours * hour,
    closing: text.endsWith('*'),
  };
}

function pick(text: string, book: string | null = 'blue') {
  const { side, lineE3, oddsAmerican } = price(text);
  return { side, lineE3, oddsAmerican, book };
}

/** Formats the relevant fields of a closing. */
function textOf(closing: Closing | null): string | null {
  if (closing === null) return null;
  const line = closing.lineE3 === null ? '-' : closing.lineE3 / 1000;
  return `${line} ${closing.oddsAmerican}${closing.sameLine ? '' : ' moved'}`;
}

const close = (market: string, rows: PriceRow[], bet: ReturnType<typeof pick>) =>
  chooseClosing(rows, { ...bet, market }, start);

describe("a book's closing snapshot", () => {
  const bet = pick('home - 150');
  const at = (hours: number, odds: number, mark = '') => price(`home - ${odds}${mark}`, { hours });

  it('is the last one at or before the start', () => {
    expect(textOf(close('moneyline', [at(3, 130), at(1, 120), at(2, 125)], bet))).to.equal('- 120');
    expect(textOf(close('moneyline', [at(0, 118), at(-0.01, 110), at(1, 120)], bet))).to.equal('- 118');
  });

  it('may be 6 hours old, and not a millisecond more', () => {
    expect(textOf(close('moneyline', [at(6, 120)], bet))).to.equal('- 120');
    const older = { ...at(6, 120), capturedAt: start - 6 * hour - 1 };
    expect(close('moneyline', [older], bet)).to.equal(null);
  });

  it('is the one marked as closing, however old, rather than later unmarked ones', () => {
    expect(textOf(close('moneyline', [at(30, 140, '*'), at(1, 120)], bet))).to.equal('- 140');
    expect(textOf(close('moneyline', [at(30, 140, '*'), at(20, 135, '*'), at(1, 120)], bet))).to.equal(
      '- 135',
    );
    expect(textOf(close('moneyline', [at(-1, 90 + 20, '*'), at(1, 120)], bet))).to.equal('- 120');
  });

  it('includes all rows of its instant if only one of them is marked', () => {
    const rows = [price('home -3.5 -110*', { hours: 9 }), price('away 3.5 -105', { hours: 9 })];
    expect(textOf(close('spread', rows, pick('away 3.5 100')))).to.equal('3.5 -105');
  });

  it('follows a start that moves', () => {
    const rows = [at(3, 130), at(1, 120)];
    expect(closingOf(closingMarket('moneyline', rows, start - 2 * hour), bet)?.oddsAmerican).to.equal(130);
  });

  it('has the lower of two prices for one side and line', () => {
    expect(textOf(close('moneyline', [at(1, 125), at(1, 120)], bet))).to.equal('- 120');
    expect(textOf(close('moneyline', [at(1, 100), at(1, -100)], bet))).to.equal('- -100');
  });
});

describe('the closing of a pick that names a book', () => {
  it("is the book's price at the pick's line, with all sides at that line", () => {
    const rows = ['home -3.5 -105', 'away 3.5 -115', 'home -3 -130', 'away 3 110'].map((text) => price(text));
    expect(close('spread', rows, pick('away 3.5 -110'))).to.deep.equal({
      oddsAmerican: -115,
      lineE3: 3500,
      book: 'blue',
      capturedAt: start - hour,
      prices: [
        { side: 'away', oddsAmerican: -115 },
        { side: 'home', oddsAmerican: -105 },
      ],
      clvBps: 211,
      sameLine: true,
    });
  });

  it("is at the main line, the one with the most even prices, if the pick's own is not priced", () => {
    const rows = ['over 8 -130', 'under 8 110', 'over 8.5 -108', 'under 8.5 -112', 'over 9 100'].map((text) =>
      price(text),
    );
    expect(textOf(close('total', rows, pick('over 7.5 -110')))).to.equal('8.5 -108 moved');
    expect(textOf(close('total', rows, pick('under 9 -110')))).to.equal('8.5 -112 moved');
  });

  it("states the spread's main line from the pick's side", () => {
    const rows = [price('home -3.5 -110'), price('away 3.5 -110')];
    expect(textOf(close('spread', rows, pick('away 2.5 -110')))).to.equal('3.5 -110 moved');
    expect(textOf(close('spread', rows, pick('home -2.5 -110')))).to.equal('-3.5 -110 moved');
  });

  it('prefers, among equally even prices, the line nearest to 0, then the smaller one', () => {
    const spread = (line: number) => [price(`home ${line} -110`), price(`away ${-line} -110`)];
    const bet = pick('home -7.5 -110');
    expect(textOf(close('spread', [...spread(-2), ...spread(1.5)], bet))).to.equal('1.5 -110 moved');
    expect(textOf(close('spread', [...spread(1.5), ...spread(-1.5)], bet))).to.equal('-1.5 -110 moved');
  });

  it('may be at a quarter line', () => {
    const rows = ['home -0.25 -105', 'away 0.25 -115', 'home -0.5 105', 'away 0.5 -125'].map((text) =>
      price(text),
    );
    expect(textOf(close('spread', rows, pick('home -0.25 100')))).to.equal('-0.25 -105');
    expect(textOf(close('spread', rows, pick('away 0.75 -110')))).to.equal('0.25 -115 moved');
  });

  it('has both sides of a pick-em spread at 0', () => {
    const rows = [price('home 0 -110'), price('away -0 -105')];
    const closing = close('spread', rows, pick('away 1.5 -110'));
    expect(textOf(closing)).to.equal('0 -105 moved');
    expect(Object.is(closing?.lineE3, 0)).to.equal(true);
    expect(closing?.prices).to.have.length(2);
  });

  it("is never at a one-sided line, unless it is the pick's own", () => {
    const rows = [price('over 8.5 -110'), price('under 9 -110')];
    expect(close('total', rows, pick('over 8 -110'))).to.equal(null);
    expect(textOf(close('total', rows, pick('over 8.5 -105')))).to.equal('8.5 -110');
    const far = [...rows, price('over 7 -250'), price('under 7 190')];
    expect(textOf(close('total', far, pick('over 8 -110')))).to.equal('7 -250 moved');
    const spread = [price('home -3.5 -110'), price('home -3 -130')];
    expect(close('spread', spread, pick('home -2.5 -110'))).to.equal(null);
  });

  it("is only at the pick's own line in markets whose sides are not known", () => {
    const rows = [price('anna 24.5 -110'), price('bert 24.5 -115'), price('bert 7.5 120')];
    expect(textOf(close('prop', rows, pick('anna 24.5 100')))).to.equal('24.5 -110');
    expect(close('prop', rows, pick('anna 25.5 100'))).to.equal(null);
    expect(textOf(close('parlay', [price('mine - 400')], pick('mine - 450')))).to.equal('- 400');
  });

  it('ignores a line beside a moneyline price', () => {
    expect(textOf(close('moneyline', [price('home 0 120')], pick('home - 150')))).to.equal('- 120');
  });

  it("is never another book's price", () => {
    expect(close('moneyline', [price('home - 120', { book: 'red' })], pick('home - 150'))).to.equal(null);
  });

  it('is absent if the book prices only the other side', () => {
    expect(close('moneyline', [price('away - 120')], pick('home - 150'))).to.equal(null);
    expect(close('total', [price('under 8.5 -110')], pick('over 8.5 -110'))).to.equal(null);
  });
});

describe('the closing of a pick that names no book', () => {
  const from = (book: string, hours: number, ...texts: string[]) =>
    texts.map((text) => price(text, { book, hours }));

  it('is the median in decimal odds, shown as the nearest American odds', () => {
    const rows = [
      ...from('blue', 3, 'home - 150', 'away - -170'),
      ...from('red', 2, 'home - 160'),
      ...from('green', 1, 'home - 110', 'away - -130'),
    ];
    expect(close('moneyline', rows, pick('home - 155', null))).to.deep.equal({
      oddsAmerican: 150,
      lineE3: null,
      book: null,
      capturedAt: start - hour,
      prices: [
        { side: 'away', oddsAmerican: -147 },
        { side: 'home', oddsAmerican: 150 },
      ],
      clvBps: 200,
      sameLine: true,
    });
  });

  it('has the CLV against the exact median of an even number of books', () => {
    const rows = [...from('blue', 1, 'home - -110'), ...from('red', 1, 'home - 105')];
    // (1.9090... + 2.05) / 2 = 1.97954..., shown as -102 (1.98039...).
    const closing = close('moneyline', rows, pick('home - 100', null));
    expect(closing?.oddsAmerican).to.equal(-102);
    expect(closing?.clvBps).to.equal(103);
  });

  it("counts only books that price the pick's own line", () => {
    const rows = [
      ...from('blue', 1, 'over 8.5 -110', 'under 8.5 -110'),
      ...from('red', 2, 'over 9 -105', 'under 9 -115'),
    ];
    expect(textOf(close('total', rows, pick('over 9 100', null)))).to.equal('9 -105');
    expect(close('total', rows, pick('over 9 100', null))?.capturedAt).to.equal(start - 2 * hour);
    expect(close('total', rows, pick('over 8 100', null))).to.equal(null);
  });
});

describe('the closing at random prices', () => {
  const quarter = fc.integer({ min: -6, max: 6 }).map((steps) => steps * 250 || 0);
  const sides: Record<string, string[]> = {
    moneyline: ['home', 'away', 'draw'],
    spread: ['home', 'away'],
    total: ['over', 'under'],
    prop: ['anna', 'bert'],
  };
  const cases = fc.constantFrom('moneyline', 'spread', 'total', 'prop').chain((market) => {
    const line = market === 'moneyline' ? fc.constant(null) : quarter;
    const side = fc.constantFrom(...sides[market]!);
    const row = fc.record({
      book: fc.constantFrom('blue', 'red', 'green'),
      side,
      lineE3: line,
      oddsAmerican: americanOdds,
      capturedAt: fc.integer({ min: -10, max: 1 }).map((hours) => start + hours * hour),
      closing: fc.boolean(),
    });
    const book = fc.constantFrom('blue', 'red', 'other', null);
    const bet = fc.record({ side, lineE3: line, oddsAmerican: americanOdds, book });
    return fc.record({ market: fc.constant(market), rows: fc.array(row, { maxLength: 24 }), bet });
  });

  it('is what a naive computation finds', () => {
    fc.assert(
      fc.property(cases, ({ market, rows, bet }) => {
        const expected = naive.closingOf({ ...bet, market, sport: 'soccer' }, rows, start);
        const closing = chooseClosing(rows, { ...bet, market }, start);
        expect(closing === null).to.equal(expected === null);
        if (expected === null || closing === null) return;
        for (const key of [
          'oddsAmerican',
          'lineE3',
          'book',
          'capturedAt',
          'prices',
          'clvBps',
          'sameLine',
        ] as const)
          expect(closing[key], key).to.deep.equal(expected[key]);
      }),
      { numRuns: 500 },
    );
  });

  it("is at the pick's own line by the price of its side, and elsewhere at a line with both sides", () => {
    const sidesAt = { spread: 2, total: 2, moneyline: 0, prop: 0 };
    fc.assert(
      fc.property(cases, ({ market, rows, bet }) => {
        const closing = chooseClosing(rows, { ...bet, market }, start);
        if (closing === null) return;
        const sidesPriced = closing.prices.map(({ side }) => side);
        expect(sidesPriced).to.include(bet.side);
        if (closing.sameLine) return;
        expect(sidesPriced, market).to.have.length(sidesAt[market as 'spread']);
      }),
      { numRuns: 500 },
    );
  });

  it('does not depend on the order of prices', () => {
    const withOrder = cases.chain((one) => shuffled(one.rows).map((reordered) => ({ ...one, reordered })));
    fc.assert(
      fc.property(withOrder, ({ market, rows, reordered, bet }) => {
        expect(chooseClosing(reordered, { ...bet, market }, start)).to.deep.equal(
          chooseClosing(rows, { ...bet, market }, start),
        );
      }),
      { numRuns: 500 },
    );
  });
});
