import { type CsvCells, isoOfText } from './export-rows.ts';

/** The columns of version 1, in order (docs/decisions/0017-record-export.md): new ones come at the end. */
const columns = [
  'id',
  'sport',
  'game',
  'market',
  'pick',
  'odds_american',
  'closing_odds_american',
  'clv_bps',
  'stake_units',
  'result',
  'posted_at',
  'graded_at',
  'permalink',
];

/** What follows the header row while the data store is out of reach. */
const unreachable =
  '# db_reachable=false: the ledger cannot be read at the moment; missing rows mean nothing else';

/**
 * The CSV export, version 1: RFC 4180 with CRLF. Texts are guarded against being run as formulas; numbers stay numbers.
 * @param rows undefined when the data store is out of reach
 */
export function recordCsv(rows: readonly CsvCells[] | undefined, baseUrl: string): string {
  const lines = [columns.join(',')];
  for (const [id, sport, game, market, pick, figures, postedAt, gradedAt] of rows ?? []) {
    const facts = `${sport},${cell(game)},${cell(market)},${cell(pick)}`;
    const life = `${isoOfText(postedAt)},${gradedAt === null ? '' : isoOfText(gradedAt)}`;
    lines.push(`${id},${facts},${figures},${life},${cell(`${baseUrl}/record/${id}`)}`);
  }
  if (rows === undefined) lines.push(unreachable);
  return `${lines.join('\r\n')}\r\n`;
}

/** A cell of text. */
function cell(text: string): string {
  if (plain.test(text)) return text;
  const guarded = mayRun.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** What neither a formula nor a quoted cell begins with, and nothing that is quoted: most texts, told in a fraction of the time. */
const plain = /^[0-9A-Za-z][^",\r\n]*$/;

/**
 * What a spreadsheet may run as a formula (OWASP: CSV injection): a sign that formulas begin with, in ASCII, full width or small form, also
 * behind what some programs trim, strip or split at: white space, invisible and control characters, quotes and separators. Such a text gets
 * an apostrophe before it, and so does one that begins with an apostrophe: removing one leading apostrophe always gives the exact text.
 */
const mayRun =
  /^(?:['\t\r\n]|[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}"';,]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B])/u;
