import { expect } from 'chai';
import fc from 'fast-check';
import { nearestAmerican, shownDecimal } from '../../src/rules/odds.ts';
import {
  noteOdds,
  type OddsCells,
  type OddsFormat,
  readingOf,
  readOdds,
} from '../../src/rules/odds-format.ts';
import { writtenLine } from '../../src/rules/written-numbers.ts';
import { americanOdds } from './arbitraries.ts';

const commas = { decimalComma: false };

function read(cells: readonly string[], options: { header?: OddsFormat; chosen?: OddsFormat } = {}) {
  const found: OddsCells = {};
  for (const cell of cells) noteOdds(found, cell, commas);
  const reading = readingOf(found, options);
  return cells.map((cell) => readOdds(cell, reading, commas));
}

const signed = (odds: number) => (odds > 0 ? `+${odds}` : `${odds}`);
const unsigned = fc.integer({ min: 100, max: 1001 }).map(String);
const americanCell = americanOdds.map(signed);
const decimalCell = fc
  .integer({ min: 1_01, max: 1000_99 })
  .filter((cents) => cents % 10 !== 0)
  .map((cents) => (cents / 100).toFixed(2));
const hundredths = (cell: string) => nearestAmerican({ num: Math.round(Number(cell) * 100), den: 100 });

describe('the format of a column of odds', () => {
  it('is decimal for every cell if one cell can only be decimal', () => {
    fc.assert(
      fc.property(fc.array(unsigned), decimalCell, fc.array(decimalCell), (some, proof, others) => {
        const cells = [...some, proof, ...others];
        expect(read(cells)).to.deep.equal(cells.map(hundredths));
      }),
    );
  });

  it('is American for every cell if one cell can only be American', () => {
    fc.assert(
      fc.property(fc.array(unsigned), americanCell, (some, proof) => {
        expect(read([...some, proof])).to.deep.equal([...some, proof].map(Number));
      }),
    );
  });

  it('is the chosen one if no cell proves one; without a choice, such cells keep every meaning', () => {
    fc.assert(
      fc.property(fc.array(unsigned, { minLength: 1 }), (cells) => {
        expect(read(cells, { chosen: 'american' })).to.deep.equal(cells.map(Number));
        expect(read(cells, { chosen: 'decimal' })).to.deep.equal(cells.map(hundredths));
        expect(read(cells, { header: 'decimal' })).to.deep.equal(cells.map(hundredths));
        for (const meanings of read(cells)) expect(meanings).to.include.keys('american', 'decimal');
      }),
    );
  });

  it('is not guessed for a mixture: unambiguous cells are parsed, the others await the choice', () => {
    fc.assert(
      fc.property(americanCell, decimalCell, unsigned, (american, decimal, either) => {
        const [first, second, third] = read([american, decimal, either]);
        expect([first, second]).to.deep.equal([Number(american), hundredths(decimal)]);
        expect(third).to.be.an('object');
      }),
    );
  });

  it('does not depend on the order of cells', () => {
    const cell = fc.oneof(
      americanCell,
      decimalCell,
      unsigned,
      fc.constantFrom('10/11', 'EVEN', '5', '1,909', 'x'),
    );
    fc.assert(
      fc.property(fc.array(cell), (cells) => {
        expect(read(cells.toReversed())).to.deep.equal(read(cells).toReversed());
      }),
    );
  });

  it('includes fractions by their payout, and whole numbers as fractions only if told so', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 }), (over, under) => {
        const [odds] = read([`${over}/${under}`]);
        // Halfway between two American odds, books print the higher one: 11/8 is +138.
        const isHalfway = over > under && (200 * over) % (2 * under) === under;
        expect(odds).to.equal(
          isHalfway ? Math.ceil((100 * over) / under) : nearestAmerican({ num: over + under, den: under }),
        );
      }),
    );
    expect(read(['10/11', '5'])[1]).to.deep.equal({ decimal: 400, fractional: 500 });
    expect(read(['10/11', '5'], { chosen: 'fractional' })).to.deep.equal([-110, 500]);
    expect(read(['1/0', '0/1', '1/2000'])).to.deep.equal([undefined, undefined, undefined]);
  });

  it('accepts odds as people write them', () => {
    for (const [cell, odds] of [
      ['EVEN', 100],
      ['Evens', 100],
      ['PICK', 100],
      ['pk', 100],
      ['\u2212110', -110],
      ['- 110', -110],
      ['-110.0', -110],
      ['+1,000', 1000],
      ['+100,000', 100_000],
      ['1,91', -110],
      ['1.9090909090909092', -110],
      ['10 / 11', -110],
      ['10\u204411', -110],
      ['128.5', 12_750],
      ['+1.91', undefined],
      ['52¢', undefined],
      ['1', undefined],
    ] as const)
      expect(read([cell]), cell).to.deep.equal([odds]);
  });

  it('converts shown decimal odds back to the same price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 1000 }), (odds) => {
        expect(read([String(shownDecimal(odds)), '1.91'])[0]).to.equal(odds);
      }),
    );
  });
});

describe('a written line', () => {
  it('means the same points in every notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: -80, max: 80 }), (doubled) => {
        const line = doubled / 2 + 0;
        const half = doubled % 2 === 0 ? '' : '½';
        const sign = line < 0 ? '\u2212' : '+';
        const texts = [
          `${line}`,
          `${line.toFixed(1).replace('.', ',')}`,
          `${sign}${Math.trunc(Math.abs(line))}${half}`,
        ];
        for (const text of texts) expect(writtenLine(text, commas), text).to.equal(line);
        for (const between of ['/', ', ', ' / '])
          expect(writtenLine(`${line}${between}${line - 0.5}`, commas)).to.equal(line - 0.25);
      }),
    );
  });

  it('is refused if ambiguous', () => {
    expect(['1,250', '7/10', '2%', ''].map((text) => writtenLine(text, commas))).to.deep.equal(
      Array(4).fill(undefined),
    );
    expect(
      ['PK', 'PICK', 'EVEN', '½', '2 1/2', '-0.5/1'].map((text) => writtenLine(text, commas)),
    ).to.deep.equal([0, 0, 0, 0.5, 2.5, -0.75]);
  });
});
