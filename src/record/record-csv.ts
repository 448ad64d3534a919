import { ByteWriter } from './byte-writer.ts';
import type { CopiedRow } from './copied-row.ts';
import { cellOf, type RecordWriter } from './export-rows.ts';
import { type Piece, result, units } from './pieces.ts';

/** What follows the header row while the data store is out of reach. */
const unreachable =
  '# db_reachable=false: the ledger cannot be read at the moment; missing rows mean nothing else';

const orEmpty =
  (of: number, write: Piece): Piece =>
  (row, out) => {
    if (!row.isNull(of)) write(row, out);
  };
const number = (of: number): Piece => orEmpty(of, (row, out) => out.cell(row, of));
const instant = (of: number): Piece => orEmpty(of, (row, out) => out.instant(row, of));
const text =
  (of: number): Piece =>
  (row, out) => {
    if (isPlain(row, of)) out.cell(row, of);
    else out.text(cell(row.text(of)));
  };

/** The columns of version 1, in order (docs/decisions/0017-record-export.md): new ones come at the end. */
const columns: Readonly<Record<string, Piece>> = {
  id: number(cellOf.id),
  sport: text(cellOf.sport),
  game: text(cellOf.game),
  market: text(cellOf.market),
  pick: text(cellOf.pick),
  odds_american: number(cellOf.odds),
  closing_odds_american: number(cellOf.closingOdds),
  clv_bps: number(cellOf.clvBps),
  stake_units: units,
  result,
  posted_at: instant(cellOf.postedAt),
  graded_at: instant(cellOf.gradedAt),
};
const header = `${[...Object.keys(columns), 'permalink'].join(',')}\r\n`;

/**
 * The CSV export, version 1: RFC 4180 with CRLF. Texts are guarded against being run as formulas; numbers stay numbers.
 * @param out what it is written to, cleared first; default: room of its own
 */
export function recordCsv(baseUrl: string, out = new ByteWriter()): RecordWriter {
  out.clear();
  out.text(header);
  const link = cell(`${baseUrl}/record/#`);
  const id = link.lastIndexOf('#');
  const [beforeId, afterId] = [link.slice(0, id), `${link.slice(id + 1)}\r\n`].map((text) =>
    Buffer.from(text),
  ) as [Buffer, Buffer];
  const pieces = Object.values(columns);
  return {
    columns: cellOf.gradedAt + 1,
    row(row) {
      for (const write of pieces) {
        write(row, out);
        out.byte(comma);
      }
      out.constant(beforeId);
      out.cell(row, cellOf.id);
      out.constant(afterId);
    },
    end: () => out.bytes,
  };
}

/** The same while the data store is out of reach. */
export function unreachableCsv(): string {
  return `${header}${unreachable}\r\n`;
}

/** A cell of text. */
function cell(text: string): string {
  const guarded = mayRun.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

const [quote, comma, backslash] = [34, 44, 92];

/** Whether a text begins as neither a formula nor a quoted cell does, and has nothing that is quoted or escaped: most texts. */
function isPlain(row: CopiedRow, of: number): boolean {
  const { bytes } = row;
  const start = row.start(of);
  if (!isAlphanumeric(bytes[start]!)) return false;
  for (let at = start; at < row.end(of); at += 1) {
    const byte = bytes[at];
    if (byte === quote || byte === comma || byte === backslash) return false;
  }
  return true;
}

function isAlphanumeric(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
}

/**
 * What a spreadsheet may run as a formula (OWASP: CSV injection): a sign that formulas begin with, in ASCII, full width or small form, also
 * behind what some programs trim, strip or split at: white space, invisible and control characters, quotes and separators. Such a text gets
 * an apostrophe before it, and so does one that begins with an apostrophe: removing one leading apostrophe always gives the exact text.
 */
const mayRun =
  /^(?:['\t\r\n]|[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}"';,]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B])/u;
