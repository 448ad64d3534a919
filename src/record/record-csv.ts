import { ByteWriter } from './byte-writer.ts';
import type { CopiedRow } from './copied-row.ts';
import { cellOf, csvColumns, csvName, permalink } from './export-columns.ts';
import type { RecordWriter } from './export-rows.ts';
import { type Piece, pieceOf } from './pieces.ts';

/** What follows the header row while the data store is out of reach. */
const unreachable =
  '# db_reachable=false: the ledger cannot be read at the moment; missing rows mean nothing else';

const form = {
  text:
    (of: number): Piece =>
    (row, out) => {
      if (isPlain(row, of)) out.cell(row, of);
      else out.text(cell(row.text(of)));
    },
  none: '',
  quote: '',
};

const header = `${csvColumns.map(csvName).join(',')}\r\n`;

/**
 * The CSV export, version 1: RFC 4180 with CRLF. Texts are guarded against being run as formulas; numbers stay numbers.
 * @param out what it is written to, cleared first; default: room of its own
 */
export function recordCsv(baseUrl: string, out = new ByteWriter()): RecordWriter {
  out.clear();
  out.text(header);
  const link = cell(`${baseUrl}/record/#`);
  const at = link.lastIndexOf('#');
  const [before, after] = [link.slice(0, at), link.slice(at + 1)].map((text) => Buffer.from(text)) as [
    Buffer,
    Buffer,
  ];
  const id = cellOf.get('id')!;
  const pieces = csvColumns.map(
    (name): Piece =>
      name === permalink
        ? (row) => {
            out.constant(before);
            out.cell(row, id);
            out.constant(after);
          }
        : pieceOf(name, form),
  );
  return {
    row(row) {
      pieces.forEach((write, index) => {
        if (index > 0) out.byte(comma);
        write(row, out);
      });
      out.constant(lineEnd);
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
const lineEnd = Buffer.from('\r\n');

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
