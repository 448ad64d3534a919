import { expect } from 'chai';
import fc from 'fast-check';
import { gridsOf, sheetLimits } from '../../src/sheets/grid.ts';
import { SheetError } from '../../src/sheets/workbook.ts';
import { xlsxFiles, zipOf } from '../support/xlsx.ts';

/** Returns why a file is refused. */
async function faultOf(name: string, bytes: Buffer): Promise<string> {
  try {
    await gridsOf(name, bytes);
  } catch (error) {
    if (error instanceof SheetError) return error.message;
    throw error;
  }
  return '';
}

const cellsOf = async (name: string, content: string | Buffer) =>
  (await gridsOf(name, Buffer.from(content))).map(({ rows }) => rows.map(({ cells }) => cells));

describe('the tables of a file', () => {
  it('are read from CSV with commas, semicolons, tabs, or the separator after sep=', async () => {
    for (const [name, content] of [
      ['a.csv', 'Pick,Odds\nGulls ML,-110\n'],
      ['a.csv', 'sep=;\r\nPick;Odds\r\nGulls ML;-110\r\n'],
      ['a.tsv', 'Pick\tOdds\nGulls ML\t-110'],
      ['a.csv', '\ufeff"Pick","Odds"\n\n"Gulls ML","-110"'],
    ] as const)
      expect(await cellsOf(name, content)).to.deep.equal([
        [
          ['Pick', 'Odds'],
          ['Gulls ML', '-110'],
        ],
      ]);
  });

  it('keep the line numbers of the file', async () => {
    const [grid] = await gridsOf('a.csv', Buffer.from('sep=;\nMy bets;\n;\nPick;Odds\nGulls;-110\n'));
    expect(grid!.rows.map(({ line }) => line)).to.deep.equal([2, 4, 5]);
  });

  it('are read from arrays of objects, an object with one, and one object per line', async () => {
    const rows = [
      { pick: 'Gulls ML', event: { name: 'Gulls @ Foxes' } },
      { pick: 'Foxes ML', odds: 1.9 },
    ];
    const expected = [
      [
        ['pick', 'event name', 'odds'],
        ['Gulls ML', 'Gulls @ Foxes', ''],
        ['Foxes ML', '', '1.9'],
      ],
    ];
    expect(await cellsOf('a.json', JSON.stringify(rows))).to.deep.equal(expected);
    expect(await cellsOf('a.json', JSON.stringify({ bets: rows }))).to.deep.equal(expected);
    expect(await cellsOf('a.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'))).to.deep.equal(
      expected,
    );
    expect(await faultOf('a.json', Buffer.from('{'))).to.match(/^a\.json is not a list of JSON objects\.$/);
  });

  it('are read from a workbook: texts, numbers, dates, and formula values, one table per sheet', async () => {
    const files = xlsxFiles({
      Bets: [
        ['Date', 'Pick', 'Odds', 'Stake'],
        [{ serial: 45_570.75 }, 'Gulls & Foxes <over> 8.5', 1.9100000000000001, { formula: '1+1', value: 2 }],
        [{ serial: 45_571 }, 'Foxes ML', -110, 1],
      ],
      Notes: [['nothing here']],
    });
    const grids = await gridsOf('bets.xlsx', zipOf(files));
    expect(grids.map(({ name }) => name)).to.deep.equal(['bets.xlsx, sheet Bets', 'bets.xlsx, sheet Notes']);
    expect(grids[0]!.rows.map(({ cells }) => cells)).to.deep.equal([
      ['Date', 'Pick', 'Odds', 'Stake'],
      ['2024-10-05 18:00:00', 'Gulls & Foxes <over> 8.5', '1.91', '2'],
      ['2024-10-06', 'Foxes ML', '-110', '1'],
    ]);
  });

  it('are refused beyond their limits', async () => {
    expect(await faultOf('a.csv', Buffer.alloc(sheetLimits.bytes + 1, 'a'))).to.match(/larger than 20 MB/);
    const many = `Pick,Odds\n${'Gulls,-110\n'.repeat(sheetLimits.rows)}`;
    expect(await faultOf('a.csv', Buffer.from(many))).to.match(/has more than 50000 rows/);
    expect(await faultOf('a.ods', Buffer.from('x'))).to.match(/Save it as \.xlsx or \.csv/);
    expect(await faultOf('a.csv', Buffer.from('a,"b\nc'))).to.match(/cannot be read as a table/);
  });
});

describe('a hostile workbook', () => {
  const files = xlsxFiles({ Bets: [['Pick', 'Odds']] });

  it('is refused if it unpacks to too much, whatever its headers claim', async () => {
    const bomb = { ...files, 'xl/worksheets/sheet1.xml': Buffer.alloc(60 * 2 ** 20, ' ') };
    for (const claim of [undefined, 10]) {
      const packed = zipOf(bomb, claim);
      expect(packed.length).to.be.below(100_000);
      expect(await faultOf('a.xlsx', packed)).to.equal(
        'The file is not a valid .xlsx workbook: it is too large when unpacked.',
      );
    }
    const several = Object.fromEntries(
      [1, 2, 3].map((number) => [`xl/worksheets/more${number}.xml`, Buffer.alloc(30 * 2 ** 20, ' ')]),
    );
    expect(await faultOf('a.xlsx', zipOf({ ...files, ...several }))).to.match(/too large when unpacked/);
    const parts = Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [`xl/worksheets/s${at}.xml`, '']),
    );
    expect(await faultOf('a.xlsx', zipOf(parts))).to.match(/more than 500 parts/);
  });

  it('is refused if a cell is so far out that the table would exhaust memory', async () => {
    const sheet = files['xl/worksheets/sheet1.xml']!;
    for (const [row, cell] of [
      ['1048576', 'A1048576'],
      ['60000', 'XFD60000'],
      ['3', 'XFD3'],
    ]) {
      const far = sheet.replace(
        '</sheetData>',
        `<row r="${row}"><c r="${cell}"><v>1</v></c></row></sheetData>`,
      );
      expect(await faultOf('a.xlsx', zipOf({ ...files, 'xl/worksheets/sheet1.xml': far }))).to.match(
        /^The workbook has a cell at \w+, beyond/,
      );
    }
  });

  it('is refused if it declares entities', async () => {
    const evil = files['xl/worksheets/sheet1.xml']!.replace(
      '<worksheet',
      '<!DOCTYPE x [<!ENTITY a "b">]><worksheet',
    );
    expect(await faultOf('a.xlsx', zipOf({ ...files, 'xl/worksheets/sheet1.xml': evil }))).to.match(
      /declares a document type/,
    );
  });

  it('is refused in a sentence, or read, whatever its bytes', async () => {
    const whole = zipOf(files);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.nat(255),
        fc.nat(whole.length),
        async (at, byte, length) => {
          const broken = Buffer.from(whole);
          broken[at] = byte;
          expect(await faultOf('a.xlsx', broken)).to.match(/^(?:|The .+\.)$/s);
          expect(await faultOf('a.xlsx', whole.subarray(0, length))).to.match(/^(?:|The .+\.)$/s);
        },
      ),
      { numRuns: 200 },
    );
  });
});
