import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkCapper } from '../../src/intake/capper.ts';
import { marksOf, type Sheet } from '../../src/intake/cells.ts';
import { kinds } from '../../src/intake/kinds.ts';
import { checkResult } from '../../src/intake/result.ts';
import { checkImportedPick } from '../../src/ledger/posting/pick-row.ts';
import { type Checked, faultsText } from '../../src/platform/schema.ts';

import { oddsColumnOf, readOddsCell } from '../../src/sheets/odds-column.ts';
import { type CheckRow, csvRows, ownColumn, type SheetOptions } from '../../src/sheets/own-columns.ts';
import { withDatabase } from '../support/database.ts';
import { league, withFolder } from '../support/folders.ts';
import { ingest } from '../support/whole-way.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
const anything: CheckRow = (value) => ({ ok: true, value });

describe('CSV files', () => {
  const folder = withFolder();
  const stores = withDatabase();

  function write(name: string, content: string | Buffer): string {
    const path = join(folder.path(), name);
    writeFileSync(path, content);
    return path;
  }

  /** Reads picks. @returns `line value` or `line: fault` for each row, and the headers that are not read */
  async function read(
    content: string | Buffer,
    check: CheckRow = checkImportedPick,
    options: SheetOptions = {},
  ) {
    const unread: string[] = [];
    const odds: string[] = [];
    const rows: { line: number; checked: Checked<unknown> }[] = [];
    const stream = createReadStream(write('picks.csv', content));
    for await (const row of csvRows(stream, 'picks', check, options, {
      onUnread: (header) => unread.push(header),
      onOdds: (text) => odds.push(text),
    }))
      rows.push(row);
    return {
      unread,
      odds,
      rows,
      values: rows.flatMap(({ checked }) => (checked.ok ? [checked.value as Record<string, unknown>] : [])),
      faults: rows.flatMap(({ line, checked }) =>
        checked.ok ? [] : [`${line}: ${faultsText(checked.faults)}`],
      ),
    };
  }

  const header = 'Capper,Sport,Game,Starts at,Market,Side,Line,Pick,Odds,Stake,Sportsbook,Posted At,Notes';
  const row =
    'ada,NFL,Harbor Gulls @ Copper Foxes,2024-10-06 17:00Z,Spread,Home,-1.5,"Foxes, -1.5",-110,1u,North Book,2024-10-05 06:00:00-0400,';
  const pick = {
    capperHandle: 'ada',
    sport: 'nfl',
    game: 'Harbor Gulls @ Copper Foxes',
    startsAt: '2024-10-06T17:00:00Z',
    market: 'spread',
    side: 'home',
    line: -1.5,
    pick: 'Foxes, -1.5',
    oddsAmerican: -110,
    stakeUnits: 1,
    book: 'north_book',
    postedAt: '2024-10-05T06:00:00-04:00',
  };

  it('of picks are read as sheets if a column says that bets were live, parlays, or not made', async () => {
    for (const name of ['Live', 'Bet kind', 'Legs', 'Period', 'Parlay ID', 'Is placed']) {
      const { faults } = await read(`${header},${name}\n${row},\n`);
      expect(faults, name).to.deep.equal([
        `1: the column ${name} can change what was bet, which only a sheet says: use --capper; nothing of the file was read`,
      ]);
    }
  });

  it('refuse a pick if a column that is not read says that it was several bets, or none', async () => {
    const cells = ['Double', 'Single', 'Live bet', 'Fade', 'a sound pick'];
    const { faults } = await read([`${header},How`, ...cells.map((cell) => `${row},${cell}`)].join('\n'));
    expect(faults).to.deep.equal([
      '2: How says Double: a bet on several games or selections is not one pick.',
      '4: How says Live bet: the bet was placed after the start of its game. The ledger does not accept those.',
      '5: How says Fade. That turns the bet around.',
    ]);
  });

  it('name the subject of a player market as subject or player', async () => {
    for (const name of ['Subject', 'Player']) {
      const prop = row.replace('Spread,Home', 'player_points,Ada L.,Over');
      const { values } = await read(`${header.replace('Side', `${name},Side`)}\n${prop}\n`);
      expect(values).to.deep.equal([{ ...pick, market: 'player_points', subject: 'Ada L.', side: 'over' }]);
    }
  });

  for (const [what, encode] of [
    ['in UTF-8', (text: string) => text],
    ['with a byte order mark', (text: string) => `\ufeff${text}`],
    ['with Windows line endings', (text: string) => text.replaceAll('\n', '\r\n')],
    ['in UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['in big-endian UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    [
      'with tabs as separators',
      (text: string) => text.replaceAll(',', '\t').replace('Foxes\t -', 'Foxes, -'),
    ],
    ['with blank rows', (text: string) => `\n,,,\n${text.replace('\n', '\n,,,,,,,,,,,,\n\n')}`],
  ] as const)
    it(`are read ${what}, under the headers that people write`, async () => {
      const { values, faults, unread } = await read(encode(`${header}\n${row}\n`));
      expect(faults).to.deep.equal([]);
      expect(values).to.deep.equal([pick]);
      expect(unread).to.deep.equal(['Notes']);
    });

  it('preserve every cell of any text, with the line where its row begins', async () => {
    const cell = fc
      .string({ unit: fc.constantFrom('a', 'é', '漢', '"', ',', ';', '\t', '\n', ' ', '1', "'", '=') })
      .map((text) => text.trim());
    const cells = fc.record({ game: cell, pick: cell, source: cell });
    const layout = fc.record({
      delimiter: fc.constantFrom<Sheet['delimiter']>(',', ';', '\t'),
      end: fc.constantFrom('\n', '\r\n'),
      mark: fc.constantFrom('', '\ufeff'),
      quoted: fc.boolean(),
    });
    const quote = (text: string, always: boolean) =>
      always || /[",;\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    await fc.assert(
      fc.asyncProperty(
        fc.array(cells, { maxLength: 8 }),
        layout,
        async (rows, { delimiter, end, mark, quoted }) => {
          const expected: { line: number; value: object }[] = [];
          let text = `${mark}${['Pick', 'GAME', 'source'].join(delimiter)}${end}`;
          for (const each of rows) {
            const line = text.split('\n').length;
            const value = Object.fromEntries(Object.entries(each).filter(([, content]) => content !== ''));
            if (Object.keys(value).length > 0) expected.push({ line, value });
            text +=
              [each.pick, each.game, each.source].map((one) => quote(one, quoted)).join(delimiter) + end;
          }
          const found = await read(text, anything);
          expect(
            found.rows.map(({ line, checked }) => ({ line, value: checked.ok && checked.value })),
          ).to.deep.equal(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keep the rows before an unclosed quote, and report its line', async () => {
    const { values, faults } = await read(
      `${header}\n${row}\n${row.replace('-1.5"', '-1.5')}\n${row.replaceAll('"', '')}\n`,
    );
    expect(values).to.deep.equal([pick]);
    expect(faults).to.deep.equal(['3: a quote is not closed; nothing after it was read']);
  });

  it('do not exhaust memory with an endless row', async () => {
    const { values, faults } = await read(`${header}\n${row}\n"${'x,\n'.repeat(200_000)}`);
    expect(values).to.have.length(1);
    expect(faults.join()).to.match(/^3: the row is longer than 100000 characters/);
  });

  for (const [what, content, fault] of [
    [
      'a header without a required column',
      header.replace('Stake', 'Bank'),
      /^1: the header has no column for stakeUnits;/,
    ],
    [
      'two columns for one field',
      `${header},Price`,
      /^1: the columns Odds and Price mean the same, oddsAmerican;/,
    ],
    ['more cells than the header', `${header}\n${row},x`, /^2: the row has 14 cells, the header 13/],
    [
      'text in another encoding',
      Buffer.from(`${header}\n${row.replace('Foxes', 'Föxes')}`, 'latin1'),
      /^2: the text is not in UTF-8/,
    ],
    [
      'invalid odds',
      `${header}\n${row.replace('-110', 'odds')}`,
      /^2: Odds: odds is not a price\. Write -110, 1\.91, or 10\/11\./,
    ],
    ['a blank cell', `${header}\n${row.replace('1u', '')}`, /^2: Stake is missing/],
    [
      'a time without a zone',
      `${header}\n${row.replace('17:00Z', '17:00')}`,
      /^2: Starts at must be an instant/,
    ],
  ] as const)
    it(`refuse ${what}, under the file's own column name`, async () => {
      expect((await read(content)).faults.join()).to.match(fault);
    });

  it('determine the format of odds from the whole column, and report it', async () => {
    const sheet = (...cells: string[]) =>
      [header, ...cells.map((cell) => row.replace('-110', cell))].join('\n');
    const oddsOf = async (content: string, options: SheetOptions = {}) => {
      const { values, faults, odds } = await read(content, checkImportedPick, options);
      return { odds: values.map(({ oddsAmerican }) => oddsAmerican), said: odds, faults };
    };
    expect(await oddsOf(sheet('101.0', '1.91', '"1,909"'))).to.deep.equal({
      odds: [10_000, -110, -110],
      said: ['Odds is decimal, such as 1.91'],
      faults: [],
    });
    expect((await oddsOf(sheet('101', '-110'))).odds).to.deep.equal([101, -110]);
    expect(await oddsOf(sheet('-110', '1.91', '101.0'))).to.deep.equal({
      odds: [-110, -110],
      said: [
        'Odds is decimal, such as 1.91; and american, such as -110; cells such as 101.0 are refused without --odds',
      ],
      faults: [
        '4: Odds: 101.0 could be +10000 if decimal, or +101 if american. Choose with --odds decimal|american.',
      ],
    });
    expect((await oddsOf(sheet('101.0'), { odds: 'decimal' })).odds).to.deep.equal([10_000]);
    expect((await oddsOf(sheet('101.0'), { odds: 'american' })).odds).to.deep.equal([101]);
    expect((await oddsOf(sheet('101.0').replace('Odds', 'Decimal odds'))).said).to.deep.equal([
      'Decimal odds is decimal by its header',
    ]);
  });

  it('have Hong Kong, Malay, and Indonesian odds and prices in cents, by the whole column or its header', async () => {
    const oddsOf = async (cells: readonly string[], named = 'Odds', options: SheetOptions = {}) => {
      const content = [header.replace('Odds', named), ...cells.map((cell) => row.replace('-110', cell))];
      const { values, faults } = await read(content.join('\n'), checkImportedPick, options);
      return [...values.map(({ oddsAmerican }) => oddsAmerican), ...faults];
    };
    expect(await oddsOf(['0.45', '2.10'])).to.deep.equal([-222, 210]);
    expect(await oddsOf(['0.80', '-0.50'])).to.deep.equal([-125, 200]);
    expect(await oddsOf(['52¢', '25¢'])).to.deep.equal([-108, 300]);
    expect(await oddsOf(['1.45'], 'HK Odds')).to.deep.equal([145]);
    expect(await oddsOf(['1.45'], 'Odds', { odds: 'hongkong' })).to.deep.equal([145]);
    expect(await oddsOf(['0.45'])).to.deep.equal([
      '2: Odds: 0.45 can be Hong Kong or cents odds. Choose with --odds.',
    ]);
  });

  it('come back from the record export without the apostrophe before formulas', async () => {
    const texts = ['=SUM(1)', '-1.5 Foxes', "'tis the Foxes", 'Foxes'];
    const guarded = ["'=SUM(1)", "'-1.5 Foxes", "''tis the Foxes", 'Foxes'];
    const picksOf = async (columns: string, cells: string) => {
      const { values, faults } = await read(
        [
          `${header}${columns}`,
          ...guarded.map((text) => `${row.replace('"Foxes, -1.5"', text)}${cells}`),
        ].join('\n'),
      );
      expect(faults).to.deep.equal([]);
      return values.map((each) => each.pick);
    };
    expect(await picksOf(',uuid', ',6b4d0f21-b9b6-5736-aa84-0a6d2311e19e')).to.deep.equal(texts);
    expect(await picksOf('', '')).to.deep.equal(guarded);
  });

  it('have results in letters, by the whole column', async () => {
    const resultsOf = async (cells: readonly string[]) => {
      const { values, faults } = await read(
        [`${header},Result`, ...cells.map((cell) => `${row},${cell}`)].join('\n'),
      );
      return [...values.map(({ result }) => result), ...faults];
    };
    expect(await resultsOf(['G', 'P', 'N', ''])).to.deep.equal(['win', 'loss', 'void', undefined]);
    expect(await resultsOf(['Gewonnen', 'Perdu', 'offen'])).to.deep.equal(['win', 'loss', null]);
    const [won, open] = await resultsOf(['W', 'P']);
    expect(won).to.equal('win');
    expect(open).to.match(/^3: Result says P, which the column does not decide/);
  });

  it('may begin with titles and a separator mark', async () => {
    const titled = await read(`My picks 2024,,,\n,,,\n${header}\n${row}\n`);
    expect([titled.values, titled.rows[0]!.line]).to.deep.equal([[pick], 4]);
    const marked = await read(
      `sep=;\n${header.replaceAll(',', ';')}\n${row.replace('"Foxes, -1.5"', 'Foxes').replaceAll(',', ';')}\n`,
    );
    expect(marked.values).to.deep.equal([{ ...pick, pick: 'Foxes' }]);
    expect((await read('My picks 2024\nand more\n')).faults).to.deep.equal([
      '1: no row is a header of several columns; nothing of the file was read',
    ]);
  });

  it('use the league as the sport, and the American one of two columns of odds', async () => {
    const both = await read(
      `${header.replace('Sport,', 'Sport,League,')},Decimal odds\n${row.replace('NFL', 'Football,NFL')},1.91\n`,
    );
    expect(both.values).to.deep.equal([pick]);
    expect(both.unread).to.deep.equal(['Sport', 'Notes', 'Decimal odds']);
  });

  it('determine the order of day and month from all dates', async () => {
    const dated = (...days: string[]) =>
      read([header, ...days.map((day) => row.replace('2024-10-05', day))].join('\n'));
    const first = ({ values }: { values: Record<string, unknown>[] }) => values[0]!.postedAt;
    expect(first(await dated('4/5/2024', '13/5/2024'))).to.match(/^2024-05-04/);
    expect(first(await dated('4/5/2024', '5/13/2024'))).to.match(/^2024-04-05/);
    expect(first(await dated('4/5/2024'))).to.match(/^2024-04-05/);
  });

  it('may omit the time of posting: it is the end of the day, or a minute before the start', async () => {
    const [one] = (await read(`${header}\n${row.replace('2024-10-05 06:00:00-0400', '2024-10-05')}`)).values;
    expect([one!.postedAt, one!.source]).to.deep.equal(['2024-10-06T03:59:00.000Z', 'day']);
    const [late] = (await read(`${header}\n${row.replace('2024-10-05 06:00:00-0400', '2024-10-06')}`)).values;
    expect(late!.postedAt).to.equal('2024-10-06T16:59:00.000Z');
  });

  it('contain results in the words of trackers', async () => {
    const results = 'Sport,Game,Starts at,Market,Side,Line,Result';
    const rows: Record<string, unknown>[] = [];
    const path = write(
      'results.csv',
      [
        results,
        ...['half win', 'Won', 'L', 'refunded', 'Push'].map(
          (text) => `nfl,Harbor Gulls @ Copper Foxes,2024-10-06 17:00Z,spread,home,-1.5,${text}`,
        ),
      ].join('\n'),
    );
    const report = { onUnread() {}, onOdds() {} };
    for await (const { checked } of csvRows(createReadStream(path), 'results', checkResult, {}, report))
      if (checked.ok) rows.push(checked.value as Record<string, unknown>);
    expect(rows.map(({ result, half = false }) => [result, half])).to.deep.equal([
      ['win', true],
      ['win', false],
      ['loss', false],
      ['void', false],
      ['push', false],
    ]);
  });

  it('keep the name that a handle was derived from', async () => {
    const path = write('cappers.csv', 'Capper,Tier,Verified\nMax Gull,listed,yes\nada,listed,yes\n');
    const rows: unknown[] = [];
    const report = { onUnread() {}, onOdds() {} };
    for await (const { checked } of csvRows(createReadStream(path), 'cappers', checkCapper, {}, report))
      if (checked.ok) rows.push(checked.value);
    expect(rows).to.deep.equal([
      { handle: 'max-gull', tier: 'listed', verified: true, displayName: 'Max Gull' },
      { handle: 'ada', tier: 'listed', verified: true },
    ]);
  });

  it('yield the same picks as JSON', async () => {
    const json = folder.write('picks.ndjson', [pick]);
    const csv = write('more-picks.csv', `${header}\n${row}\n`);
    await ingest(stores.database, league, now);
    expect((await ingest(stores.database, json, now)).counts.picks.added).to.equal(1);
    const { counts, notes } = await ingest(stores.database, csv, now);
    expect(counts.picks).to.include({ added: 0, unchanged: 1, refused: 0 });
    expect([...notes.keys()]).to.include(`${csv}: the column Notes is not read`);
  });
});

describe('the cells of sheets', () => {
  function cell(kind: 'picks' | 'cappers', name: string, text: string, sheet: Partial<Sheet> = {}): unknown {
    const { field, cell: column, format: header } = ownColumn(name, kinds[kind].fields);
    const whole: Sheet = { delimiter: ',', ...sheet };
    if (field !== 'oddsAmerican') return column.read(text, whole);
    const marks = marksOf(whole);
    return readOddsCell(text, oddsColumnOf([text], { header, chosen: undefined, marks }), marks);
  }

  for (const [name, text, delimiter, value] of [
    ['Odds', '-110', ',', -110],
    ['Odds', '+150', ',', 150],
    ['Odds', '\u2212110', ',', -110],
    ['Odds', '+1,200', ',', 1200],
    ['Odds', 'EVEN', ',', 100],
    ['Odds', '2.5', ',', 150],
    ['Odds', '1.91', ',', -110],
    ['Odds', '1,91', ';', -110],
    ['Odds', '1.909', ';', -110],
    ['Odds', '-1.25', ',', -125],
    ['Odds', '10/11', ',', -110],
    ['Odds', 'Pick', ',', 100],
    ['Odds (decimal)', '1.0005', ',', '1.0005 is not a price. Write -110, 1.91, or 10/11.'],
    ['Line', '+3.5', ',', 3.5],
    ['Line', '3,5', ';', 3.5],
    ['Line', 'PK', ',', 0],
    ['Line', '\u22123½', ',', -3.5],
    ['Line', '0, -0.5', ',', -0.25],
    ['Units', '2 units', ',', 2],
    ['Units', '1.250,5', ';', 1250.5],
    ['Units', 'two', ',', 'two'],
    ['Market', 'First half  total', ',', 'First half  total'],
    ['posted_at', '2024-10-05 06:00 UTC', ',', '2024-10-05T06:00:00Z'],
  ] as const)
    it(`read ${name} "${text}"${delimiter === ',' ? '' : ` in a sheet with ${JSON.stringify(delimiter)}`} as ${value}`, () => {
      expect(cell('picks', name, text, { delimiter })).to.equal(value);
    });

  it('have times in the given zone, except those that its clocks skip or show twice', () => {
    const zone = 'America/New_York';
    for (const [text, value] of [
      ['2024-10-05 6:00', '2024-10-05T10:00:00Z'],
      ['2024-12-05 06:00:30', '2024-12-05T11:00:30Z'],
      ['2024-12-05 06:00 UTC', '2024-12-05T06:00:00Z'],
      ['2024-03-10 02:30', '2024-03-10 02:30'],
      ['2024-11-03 01:30', '2024-11-03 01:30'],
      ['2024-13-03 01:30', '2024-13-03 01:30'],
      ['10/5/2024 06:00', '2024-10-05T10:00:00Z'],
      ['10/5/2024 6:00 AM', '2024-10-05T10:00:00Z'],
      ['10/5/24 6pm', '2024-10-05T22:00:00Z'],
      ['2024-10-05 06:00 EST', '2024-10-05T06:00:00-05:00'],
      ['2024-10-05 06:00 ET', '2024-10-05T10:00:00Z'],
      ['Oct 5, 2024 7:30 PM', '2024-10-05T23:30:00Z'],
      ['5.10.2024 06:00', '2024-10-05T10:00:00Z'],
      ['45570.25', '2024-10-05T10:00:00Z'],
      ['2024-10-05', '2024-10-05'],
      ['2/30/2024', '2/30/2024'],
      ['10/5/2024 25:00', '10/5/2024 25:00'],
      ['10/5/2024 13:00 PM', '10/5/2024 13:00 PM'],
      ['10/5', '10/5'],
    ] as const)
      expect(cell('picks', 'Posted at', text, { zone }), text).to.equal(value);
    expect(cell('picks', 'Posted at', '5/10/2024 06:00', { zone, dates: 'day first' })).to.equal(
      '2024-10-05T10:00:00Z',
    );
  });

  for (const [kind, name, text, value] of [
    ['picks', 'Sport', 'CFB', 'ncaaf'],
    ['picks', 'Sport', 'NCAA Football', 'ncaaf'],
    ['picks', 'League', 'Premier League', 'soccer'],
    ['picks', 'Sport', 'UFC', 'mma'],
    ['picks', 'Sport', 'Football', 'Football (nfl or ncaaf or soccer)'],
    ['picks', 'Book', 'DK', 'draftkings'],
    ['picks', 'Book', 'North Book', 'north_book'],
    ['picks', 'Capper', '@NetGull', 'netgull'],
    ['cappers', 'Capper', 'Max Gull', 'max-gull'],
    ['cappers', 'Capper', 'José', 'jose'],
    ['cappers', 'Capper', 'X', 'X'],
  ] as const)
    it(`read ${name} "${text}" as ${value}`, () => {
      expect(cell(kind, name, text)).to.equal(value);
    });

  it('say yes and no in the words of sheets', () => {
    expect(
      ['TRUE', 'yes', 'x', 'FALSE', 'No', 'maybe'].map((text) => cell('cappers', 'Verified', text)),
    ).to.deep.equal([true, true, true, false, false, 'maybe']);
  });

  it('contain sets in every notation, the part of a game played, and the competition', () => {
    const cells = (name: string) => ownColumn(name, kinds.games.fields).cell;
    const sheet: Sheet = { delimiter: ',' };
    const sets = [
      [6, 4],
      [3, 6],
      [7, 6],
    ];
    for (const cell of [
      '6-4 3-6 7-6',
      '6:4, 3:6, 7:6(4)',
      '6–4; 3–6; 7–6 (7–4)',
      '6-4/3-6/7-6',
      '[6-4] [3-6] [7-6]',
    ])
      expect(cells('sets').read(cell, sheet), cell).to.deep.equal(sets);
    for (const cell of ['6-4 3-6 ret.', '64', '6-4 3', '', 'Jun 4'])
      expect(cells('sets').read(cell, sheet), cell).to.equal(cell);
    expect(cells('played').read('Shortened', sheet)).to.equal('shortened');
    expect(cells('innings').read('8.5', sheet)).to.equal(8.5);
    expect(cells('competition').read('North Cup', sheet)).to.equal('North Cup');
  });
});
