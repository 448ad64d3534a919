import { crc32, inflateRawSync } from 'node:zlib';
import readWorkbook from 'read-excel-file/node';
import { ExpectedError } from '../platform/expected-error.ts';

/** Thrown if a sheet cannot be read. The message is a sentence that says why. */
export class SheetError extends ExpectedError {
  override name = 'SheetError';
}

/** Limits on a workbook, so that a small file cannot exhaust memory. */
const limits = {
  parts: 500,
  partBytes: 40 * 2 ** 20,
  bytes: 80 * 2 ** 20,
  rows: 50_100,
  columns: 300,
} as const;

/** The parts of a workbook with cells. Pictures, macros, and external links are skipped. */
const readParts =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:_rels\/)?[^/]+\.(?:xml|rels)|xl\/worksheets\/[^/]+\.xml)$/;

/**
 * Reads the sheets of an .xlsx file as text. Formulas count as their stored values. The library has no limits, so the file is unpacked here
 * within {@link limits} and repacked for it.
 * @throws SheetError
 */
export async function sheetsOf(
  bytes: Buffer,
): Promise<{ name: string; rows: string[][]; is1904: boolean }[]> {
  const parts = partsOf(bytes).filter(({ name }) => readParts.test(name));
  // XML entities could read files or expand without end. Spreadsheets never write them.
  for (const { name, data } of parts)
    if (/<!(?:DOCTYPE|ENTITY)/i.test(data.toString('latin1')))
      throw new SheetError(`The workbook declares a document type in ${name}. Spreadsheets never do.`);
  for (const { name, data } of parts)
    if (name.startsWith('xl/worksheets/')) checkPlaces(data.toString('latin1'));
  // The library knows only `1`, ECMA-376 also `true`.
  const book = parts.find(({ name }) => name === 'xl/workbook.xml');
  const properties =
    book?.data.toString('utf8').replace(/(?<=\bdate1904\s*=\s*["'])true(?=["'])/i, '1') ?? '';
  if (book !== undefined) book.data = Buffer.from(properties);
  const is1904 = /\bdate1904\s*=\s*["']1/.test(properties);
  let sheets: Awaited<ReturnType<typeof readWorkbook>>;
  try {
    sheets = await readWorkbook(packed(parts));
  } catch (error) {
    throw new SheetError(
      `The workbook cannot be read: ${error instanceof Error ? error.message : 'unknown'}.`,
    );
  }
  return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(textOf)), is1904 }));
}

/** The library allocates a table up to the last cell, however far out it is. */
function checkPlaces(xml: string): void {
  for (const [, letters = '', row = ''] of xml.matchAll(/\br\s*=\s*["']\s*([A-Za-z]*)(\d+)/g)) {
    const column = [...letters.toUpperCase()].reduce(
      (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
      0,
    );
    if (Number(row) > limits.rows || column > limits.columns)
      throw new SheetError(
        `The workbook has a cell at ${letters}${row}, beyond the limit of ${limits.rows} rows and ${limits.columns} columns.`,
      );
  }
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) {
    if (Number.isNaN(cell.getTime())) return '';
    const text = new Date(Math.round(cell.getTime() / 1000) * 1000).toISOString();
    // A time of day is a fraction of the first day of the workbook's calendar.
    if (/^(?:1899-12-3[01]|1904-01-01)/.test(text)) return text.slice(11, 19);
    return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
  }
  // Spreadsheets store 1.91 as 1.9100000000000001.
  if (typeof cell === 'number') return String(Number(cell.toPrecision(12)));
  return String(cell);
}

interface ZipPart {
  name: string;
  data: Buffer;
}

const end = 0x06054b50;
const central = 0x02014b50;
const local = 0x04034b50;

/** Unpacks a zip within {@link limits}, whatever sizes its headers claim. */
function partsOf(bytes: Buffer): ZipPart[] {
  const wrong = (why: string) => new SheetError(`The file is not a valid .xlsx workbook: ${why}.`);
  let at = bytes.length - 22;
  while (at >= 0 && at > bytes.length - 66_000 && bytes.readUInt32LE(at) !== end) at -= 1;
  if (at < 0 || bytes.readUInt32LE(at) !== end) throw wrong('it is not a zip archive');
  const count = bytes.readUInt16LE(at + 10);
  if (count > limits.parts) throw wrong(`it has more than ${limits.parts} parts`);
  let total = 0;
  let entry = bytes.readUInt32LE(at + 16);
  const parts: ZipPart[] = [];
  try {
    for (let index = 0; index < count; index += 1) {
      if (bytes.readUInt32LE(entry) !== central) throw wrong('its directory is damaged');
      const method = bytes.readUInt16LE(entry + 10);
      const size = bytes.readUInt32LE(entry + 20);
      const [nameLength, extra, comment] = [28, 30, 32].map((offset) =>
        bytes.readUInt16LE(entry + offset),
      ) as [number, number, number];
      const header = bytes.readUInt32LE(entry + 42);
      const name = bytes.toString('utf8', entry + 46, entry + 46 + nameLength);
      entry += 46 + nameLength + extra + comment;
      if (!readParts.test(name)) continue;
      if ((bytes.readUInt16LE(header + 6) & 1) === 1) throw wrong('it is encrypted');
      if (bytes.readUInt32LE(header) !== local) throw wrong('its parts are damaged');
      const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
      const raw = bytes.subarray(start, start + size);
      const data =
        method === 0
          ? raw
          : method === 8
            ? inflateRawSync(raw, { maxOutputLength: Math.min(limits.partBytes, limits.bytes - total) })
            : undefined;
      if (data === undefined) throw wrong('its compression is not supported');
      total += data.length;
      if (total > limits.bytes) throw wrong('it is too large when unpacked');
      parts.push({ name, data });
    }
  } catch (error) {
    if (error instanceof SheetError) throw error;
    if (error instanceof RangeError && (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw wrong('it is too large when unpacked');
    throw wrong('its parts are damaged');
  }
  return parts;
}

function packed(parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data } of parts) {
    const title = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(title.length, 22);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(local, 0);
    files.push(head, common, title, data);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(central, 0);
    entry.writeUInt16LE(20, 4);
    common.copy(entry, 6);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, title);
    offset += 30 + title.length + data.length;
  }
  const listed = Buffer.concat(directory);
  const tail = Buffer.alloc(22);
  tail.writeUInt32LE(end, 0);
  tail.writeUInt16LE(parts.length, 8);
  tail.writeUInt16LE(parts.length, 10);
  tail.writeUInt32LE(listed.length, 12);
  tail.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, tail]);
}
