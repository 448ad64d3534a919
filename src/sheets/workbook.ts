import { Unzip, UnzipInflate, zipSync } from 'fflate';
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
    sheets = await readWorkbook(
      Buffer.from(zipSync(Object.fromEntries(parts.map(({ name, data }) => [name, data])), { level: 0 })),
    );
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

/** Number of bytes that are unpacked at a time. A byte unpacks to 1,032 at most. */
const slice = 4096;

/** Unpacks a zip within {@link limits}, whatever sizes its headers claim. */
function partsOf(bytes: Buffer): { name: string; data: Buffer }[] {
  const wrong = (why: string) => new SheetError(`The file is not a valid .xlsx workbook: ${why}.`);
  const parts: { name: string; data: Buffer }[] = [];
  let count = 0;
  let total = 0;
  const unzip = new Unzip((file) => {
    count += 1;
    if (count > limits.parts) throw wrong(`it has more than ${limits.parts} parts`);
    if (!readParts.test(file.name)) return;
    const chunks: Uint8Array[] = [];
    let size = 0;
    file.ondata = (error, data, isLast) => {
      if (error !== null) throw error;
      size += data.length;
      total += data.length;
      if (size > limits.partBytes || total > limits.bytes) throw wrong('it is too large when unpacked');
      chunks.push(data);
      if (isLast) parts.push({ name: file.name, data: Buffer.concat(chunks) });
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += slice)
      unzip.push(bytes.subarray(at, at + slice), at + slice >= bytes.length);
  } catch (error) {
    throw error instanceof SheetError ? error : wrong('its parts are damaged');
  }
  if (count === 0) throw wrong('it is not a zip archive');
  return parts;
}
