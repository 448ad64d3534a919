import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { ExportRow } from '../../src/record/export-columns.ts';
import type { ExportFilter } from '../../src/record/export-filter.ts';
import type { RecordWriter } from '../../src/record/export-rows.ts';
import { recordCsv, recordJson } from '../../src/record/record-json.ts';
import { baseUrl, hostileTexts } from '../boards/formats/example-picks.ts';
import { codePoint } from '../support/code-point.ts';

const filter: ExportFilter = { since: null, sport: null, limit: 1000, afterId: null, capper: null };

const cells = {
  id: 7,
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
  capper: 'ada',
  capper_tier: 'elite',
  sport: 'nfl',
  game: 'Tundra Owls @ Delta Rays',
  starts_at: '2024-10-06T20:25:00.000Z',
  market: 'spread',
  subject: null,
  side: 'home',
  line: -3,
  pick: 'Rays -3',
  odds_american: -110,
  stake_units: 1.5,
  book: 'north',
  source: 'import',
  provenance: 'imported',
  posted_at: '2024-10-06T12:00:00.000Z',
  closing_odds: -120,
  closing_line: -3.5,
  clv_bps: 413,
  edge_bps: -12,
  result: 'win',
  half: false,
  net_units: 1.3636,
  graded_at: '2024-10-06T23:31:00.250Z',
  price_verdict: null,
  author_signed: false,
  counted_odds: -110,
  counted_clv_bps: 413,
  edge_method: 'power',
  edge_source: 'hand',
  game_id: 5,
};

/** The null fields of a pending pick. */
const unknown = {
  closing_odds: null,
  closing_line: null,
  clv_bps: null,
  edge_bps: null,
  edge_method: null,
  edge_source: null,
  result: 'pending',
  net_units: null,
  graded_at: null,
};

const row = (changes: Partial<ExportRow> = {}): ExportRow => ({ ...cells, ...changes });

const csv = (...rows: ExportRow[]) => textOf(recordCsv(baseUrl), rows);

/** Adds each row in its own batch. */
function textOf(writer: RecordWriter, rows: readonly ExportRow[]): string {
  for (const each of rows) writer.add([each]);
  return writer.end().toString();
}

/** Parses CSV strictly by RFC 4180. */
function table(text: string): string[][] {
  return parse(text, { record_delimiter: '\r\n', relax_quotes: false, relax_column_count: false });
}

/** Recovers a text as the export's page says, by removing one leading apostrophe. */
const unguarded = (cell: string | undefined) => cell?.replace(/^'/, '');

/** Characters that spreadsheets may trim, strip, or split at before they look for a formula. */
const skipped = fc.constantFrom(
  ' ',
  '\u00A0',
  '\u3000',
  '\u200B',
  '\uFEFF',
  '\u00AD',
  '\u2060',
  '"',
  "'",
  ';',
  ',',
  '\t',
  '\u0007',
);
const signs = fc.constantFrom(...'=+-@＝＋－＠');
const formula = fc
  .tuple(fc.array(skipped, { maxLength: 6 }), signs, fc.string({ unit: codePoint }))
  .map(([before, sign, rest]) => before.join('') + sign + rest);

describe('the record as CSV', () => {
  it('ends every line with CRLF and has the same number of cells in each', () => {
    const text = csv(row(), row({ game: 'a, "b"', ...unknown }));
    expect(text.endsWith('\r\n')).to.equal(true);
    const [head, ...rows] = table(text);
    expect(head).to.have.lengthOf(33);
    expect(rows.map((found) => found.length)).to.deep.equal([33, 33]);
    expect(rows[0]?.slice(5, 9)).to.deep.equal(['-110', '-120', '413', '1.5']);
    expect(rows[1]?.slice(6, 12)).to.deep.equal(['', '', '1.5', 'pending', '2024-10-06T12:00:00.000Z', '']);
    const appended = ['0f8fad5b-d9cb-469f-a165-70867728950e', 'ada', 'elite', '', 'home', '-3'];
    expect(rows[0]?.slice(13)).to.deep.equal([
      ...[...appended, '2024-10-06T20:25:00.000Z', 'north', 'imported'],
      ...['false', '-3.5', '-12', '1.3636', '', 'false', '-110', '413', 'power', 'hand', '5'],
    ]);
    expect(rows[1]?.slice(22)).to.deep.equal(['false', '', '', '', '', 'false', '-110', '413', '', '', '5']);
  });

  for (const text of hostileTexts)
    it(`preserves ${JSON.stringify(text.slice(0, 40))}, never as a formula`, () => {
      const [, found] = table(csv(row({ pick: text, game: text })));
      expect(unguarded(found?.[2])).to.equal(text.toWellFormed());
      expect(unguarded(found?.[4])).to.equal(text.toWellFormed());
    });

  it('preserves any text, minus a leading apostrophe', () => {
    const text = fc.oneof(fc.string({ unit: codePoint, minLength: 1 }), formula);
    fc.assert(
      fc.property(text, fc.nat(3), (rest, apostrophes) => {
        const given = "'".repeat(apostrophes) + rest;
        const rows = table(csv(row({ pick: given }), row({ game: given })));
        expect(unguarded(rows[1]?.[4])).to.equal(given.toWellFormed());
        expect(unguarded(rows[2]?.[2])).to.equal(given.toWellFormed());
      }),
      { numRuns: 1000 },
    );
  });

  it('never starts with a formula, whatever precedes the sign', () => {
    fc.assert(
      fc.property(formula, (text) => {
        const [, found] = table(csv(row({ pick: text })));
        expect(found?.[4]).to.equal(`'${text.toWellFormed()}`);
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves other texts unchanged', () => {
    for (const text of [
      'Rays -3',
      'Over 45.5',
      'a=b',
      '"Big" Al',
      '(-3)',
      '1+1',
      'Ångström @ Łódź',
      '\u200Bx',
    ]) {
      const [, found] = table(csv(row({ pick: text })));
      expect(found?.[4]).to.equal(text);
    }
  });
});

describe('a line of the CSV', () => {
  const sign = '[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20\\uFE66\\uFE62\\uFE63\\uFE6B]';
  const formula = new RegExp(
    `^(?:['\\t\\r\\n]|[\\p{White_Space}\\p{Default_Ignorable_Code_Point}\\p{C}"';,]*${sign})`,
    'u',
  );
  /** Guards and quotes a text, without a shortcut for ordinary ones. */
  const slowly = (text: string) => {
    const guarded = formula.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
  };

  it('has the same bytes without the shortcut for ordinary texts', () => {
    const text = fc.oneof(
      fc.string({ unit: codePoint, minLength: 1 }),
      fc.string({ unit: fc.constantFrom(...'aZ09 ,"\r\n\t=+-@;.\'') }),
      fc.tuple(fc.constantFrom('a', 'Z', '7'), fc.string({ unit: codePoint })).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, text, text, (game, market, pick) => {
        const [, line] = textOf(recordCsv('x'), [row({ game, market, pick })]).split(/^[^\r]*\r\n/);
        expect(line).to.equal(
          `7,nfl,${slowly(game.toWellFormed())},${slowly(market.toWellFormed())},${slowly(pick.toWellFormed())},-110,-120,413,1.5,win,` +
            '2024-10-06T12:00:00.000Z,2024-10-06T23:31:00.250Z,x/record/7,0f8fad5b-d9cb-469f-a165-70867728950e,ada,elite,,home,-3,' +
            '2024-10-06T20:25:00.000Z,north,imported,false,-3.5,-12,1.3636,,false,-110,413,power,hand,5\r\n',
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the record as JSON', () => {
  it('is what JSON.stringify makes of its rows, with any Unicode text', () => {
    const text = fc.string({ unit: codePoint }).map((given) => given.toWellFormed());
    fc.assert(
      fc.property(text, text, fc.boolean(), (game, pick, isPending) => {
        const written = textOf(recordJson(filter, baseUrl, 0), [
          row(),
          row({ game, pick, ...(isPending ? unknown : {}) }),
        ]);
        const parsed = JSON.parse(written);
        expect(written).to.equal(JSON.stringify(parsed));
        expect(parsed.count).to.equal(2);
        expect(parsed.picks[1]).to.deep.equal({
          id: 7,
          sport: 'NFL',
          game,
          market: 'spread',
          pick,
          odds_american: -110,
          stake_units: 1.5,
          result: isPending ? 'pending' : 'win',
          posted_at: '2024-10-06T12:00:00.000Z',
          graded_at: isPending ? null : '2024-10-06T23:31:00.250Z',
          closing_odds: isPending ? null : -120,
          clv_bps: isPending ? null : 413,
          source: 'import',
          permalink: `${baseUrl}/record/7`,
          uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
          capper: 'ada',
          capper_tier: 'elite',
          subject: null,
          side: 'home',
          line: -3,
          starts_at: '2024-10-06T20:25:00.000Z',
          book: 'north',
          provenance: 'imported',
          half: false,
          closing_line: isPending ? null : -3.5,
          edge_bps: isPending ? null : -12,
          net_units: isPending ? null : 1.3636,
          price_verdict: null,
          author_signed: false,
          counted_odds: -110,
          counted_clv_bps: 413,
          edge_method: isPending ? null : 'power',
          edge_source: isPending ? null : 'hand',
          game_id: 5,
        });
      }),
    );
  });
});
