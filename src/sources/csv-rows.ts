import { createReadStream, type ReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { dateOrdersOf, postedOnDay } from '../intake/cells.ts';
import { type Column, delimiters, isHalf, marksOf, plainHeader, type Sheet } from '../intake/columns.ts';
import { sheetColumns } from '../intake/kind.ts';
import { kinds } from '../intake/kinds.ts';
import type { Checked, Fault } from '../platform/schema.ts';
import {
  noteOdds,
  type OddsCells,
  type OddsFormat,
  type OddsMeanings,
  type OddsReading,
  oddsFormats,
  readingOf,
} from '../rules/odds-format.ts';
import type { CheckRow, FileRow, Kind } from './file-rows.ts';
import { decoded, headOf } from './file-text.ts';

/** Maximum length of a row, in characters. An unclosed quote makes one row of everything after it. */
const maxRow = 100_000;

export interface SheetOptions {
  /** IANA time zone of times without one. Default: such times are refused. */
  zone?: string | undefined;
  /** Format of odds that are valid in several formats. Default: such odds are refused. */
  odds?: OddsFormat | undefined;
}

export interface SheetReport {
  /** Called with each header that names no field. */
  onUnread(header: string): void;
  /** Called with a sentence on the format of the odds. */
  onOdds(text: string): void;
}

/**
 * Yields the rows of a CSV file with a header, as spreadsheets export it: with commas, semicolons, or tabs, in UTF-8 or UTF-16, with quotes
 * and blank rows. Faults name a column as the header does. A header without a required column, or an unclosed quote, is one fault and ends
 * the reading.
 * Memory is bounded by a chunk of the file. A file with odds is read twice, because all cells of the column decide their format.
 */
export async function* csvRows(
  stream: ReadStream,
  kind: Kind,
  check: CheckRow,
  { zone, odds: chosen }: SheetOptions,
  { onUnread, onOdds }: SheetReport,
): AsyncGenerator<FileRow> {
  const { encoding, firstLine } = await headOf(stream.path as string);
  const delimiter = delimiterOf(firstLine);
  let header: Header | undefined;
  let titles = 0;
  const sheet: Sheet = { delimiter, zone, odds: { proven: [], format: undefined } };
  for await (const { line, cells } of records(decoded(stream, encoding), delimiter)) {
    if (cells instanceof CsvError) yield { line, checked: fault(quoteFault(cells)) };
    else if (header !== undefined) yield { line, checked: checkCells(cells, header, sheet, check) };
    else if (isTitle(cells) && titles < maxTitles) titles += 1;
    else {
      const names = headerOf(cells, kind, check);
      if (typeof names === 'string') {
        yield { line, checked: fault(`${names}; nothing of the file was read`) };
        return;
      }
      header = names;
      for (const { name, column } of names) if (name !== '' && column === undefined) onUnread(name);
      const again = () => records(decoded(createReadStream(stream.path), encoding), delimiter);
      if (names.some(({ column }) => column?.isTime === true)) sheet.dates = await datesIn(again(), names);
      const at = names.findIndex(({ column }) => column?.odds !== undefined);
      if (at === -1) continue;
      const found = await oddsIn(again(), at, delimiter, titles);
      sheet.odds = readingOf(found, { header: names[at]!.column!.odds!.header, chosen });
      onOdds(oddsText(names[at]!.name, found, sheet.odds));
    }
  }
  if (header === undefined && titles > 0)
    yield { line: 1, checked: fault('no row is a header of several columns; nothing of the file was read') };
}

/** Maximum number of rows skipped above the header: titles, and the `sep=;` of spreadsheets. */
const maxTitles = 20;

/** Reports whether a row cannot be the header: it has a single cell, or is `sep=`. */
function isTitle(cells: readonly string[]): boolean {
  return cells.filter((cell) => cell !== '').length === 1 || /^sep=/i.test(cells[0] ?? '');
}

/** Returns the order of dates in the time columns, or undefined if no cell decides it. */
async function datesIn(file: AsyncIterable<CsvRecord>, header: Header): Promise<Sheet['dates']> {
  const times = header.flatMap(({ column }, at) => (column?.isTime === true ? [at] : []));
  for await (const { cells } of file) {
    const [order] = cells instanceof CsvError ? [] : dateOrdersOf(times.map((at) => cells[at] ?? ''));
    if (order !== undefined) return order;
  }
  return undefined;
}

/**
 * Collects examples of the odds in a file by what they reveal of their format.
 * @param titles number of rows above the header
 */
async function oddsIn(
  file: AsyncIterable<CsvRecord>,
  at: number,
  delimiter: Sheet['delimiter'],
  titles: number,
): Promise<OddsCells> {
  const found: OddsCells = {};
  let above = titles + 1;
  for await (const { cells } of file) {
    const cell = above > 0 || cells instanceof CsvError ? '' : (cells[at] ?? '');
    if (cell !== '') noteOdds(found, cell, marksOf({ delimiter }));
    above -= 1;
  }
  return found;
}

function oddsText(header: string, found: OddsCells, { proven, format }: OddsReading): string {
  const shown = proven.map((each) => {
    const example = found[each] ?? (each === 'decimal' ? found.small : undefined);
    return `${each}${example === undefined ? ' by its header' : `, such as ${example}`}`;
  });
  const unclear = found.unclear ?? found.small;
  const decided = format === undefined ? 'refused without --odds' : `read as ${format}`;
  if (shown.length === 1 && (unclear === undefined || format === proven[0]))
    return `${header} is ${shown[0]}`;
  const is = shown.length === 0 ? 'has no cell that proves its format' : `is ${shown.join('; and ')}`;
  return unclear === undefined
    ? `${header} ${is}`
    : `${header} ${is}; cells such as ${unclear} are ${decided}`;
}

/** A record of the file, or the error that ended the reading. */
interface CsvRecord {
  line: number;
  cells: string[] | CsvError;
}

/** Yields the records that are not blank. Writes to the parser chunk by chunk: piped, it would drop the records before an error. */
async function* records(
  text: AsyncIterable<string>,
  delimiter: Sheet['delimiter'],
): AsyncGenerator<CsvRecord> {
  let found: CsvRecord[] = [];
  let line = 1;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRow,
    on_record(record: string[], { lines }) {
      const cells = record.map((cell) => cell.trim());
      if (cells.some((cell) => cell !== '')) found.push({ line, cells });
      line = lines + 1;
      return null;
    },
  });
  let failed: CsvError | undefined;
  parser.on('error', (error: CsvError) => {
    failed = error;
  });
  parser.resume();
  const fed = (feed: (done: () => void) => void) => new Promise<void>((done) => feed(done));
  for await (const chunk of text) {
    await fed((done) => parser.write(chunk, () => done()));
    yield* found;
    found = [];
    if (failed !== undefined) break;
  }
  if (failed === undefined) {
    await fed((done) => parser.once('close', done).end());
    yield* found;
  }
  if (failed !== undefined) yield { line, cells: failed };
}

function quoteFault({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is not closed; nothing after it was read';
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `the row is longer than ${maxRow} characters, as when a quote is not closed; nothing after it was read`;
  return `${message}; nothing after it was read`;
}

/** Returns the delimiter that `sep=` names, or else the most frequent one in the first line. */
function delimiterOf(header: string): Sheet['delimiter'] {
  const named = delimiters.find((delimiter) => header.toLowerCase() === `sep=${delimiter}`);
  if (named !== undefined) return named;
  const counts = delimiters.map((delimiter) => header.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))]!;
}

type Header = { name: string; column: Column | undefined }[];

/** Returns the columns of a header, or the reason why it cannot be used. */
function headerOf(names: readonly string[], kind: Kind, check: CheckRow): Header | string {
  const columns = sheetColumns(kinds[kind].fields);
  const header: Header = names.map((name) => {
    const plain = plainHeader(name);
    const column = columns.find((each) => each.names.includes(plain));
    return { name, column };
  });
  const leaveOut = (field: string, isRead: (each: Header[number]) => boolean) => {
    const same = header.filter(({ column }) => column?.field === field);
    if (same.length !== 2 || same.filter(isRead).length !== 1) return;
    for (const each of same) if (!isRead(each)) each.column = undefined;
  };
  // Given a sport and a league, reads the league. Given odds in two formats, reads the American ones, or the ones without a format in their
  // header.
  leaveOut('sport', ({ name }) => plainHeader(name) === 'league');
  const formats = header
    .filter(({ column }) => column?.odds !== undefined)
    .map(({ column }) => column!.odds!.header);
  if (new Set(formats).size === 2) {
    const read = formats.includes('american') ? 'american' : undefined;
    leaveOut('oddsAmerican', ({ column }) => column?.odds?.header === read);
  }
  const fields = header.flatMap(({ column }) => column?.field ?? []);
  const twice = fields.find((field, at) => fields.indexOf(field) < at);
  if (twice !== undefined) {
    const same = header.filter(({ column }) => column?.field === twice).map(({ name }) => name);
    return `the columns ${same.join(' and ')} mean the same, ${twice}`;
  }
  // The faults of an empty row name the required fields.
  const blank = check({});
  const missing = (blank.ok ? [] : blank.faults)
    .filter(({ message }) => message === 'is missing')
    .map(({ path }) => path.slice(1))
    .filter((field) => !fields.includes(field));
  return missing.length > 0 ? `the header has no column for ${missing.join(', ')}` : header;
}

function checkCells(
  cells: readonly string[],
  header: Header,
  sheet: Sheet,
  check: CheckRow,
): Checked<unknown> {
  if (cells.slice(header.length).some((cell) => cell !== ''))
    return fault(`the row has ${cells.length} cells, the header ${header.length}`);
  if (cells.some((cell) => cell.includes('\ufffd')))
    return fault('the text is not in UTF-8: export the sheet as CSV in UTF-8');
  const row: Record<string, unknown> = {};
  header.forEach(({ column }, at) => {
    const cell = cells[at] ?? '';
    if (column !== undefined && cell !== '') row[column.field] = column.read(cell, sheet);
  });
  completeRow(row, cells, header);
  if (typeof row.oddsAmerican === 'object') {
    const at = header.findIndex(({ column }) => column?.odds !== undefined);
    return fault(unclearText(header[at]!.name, cells[at]!, row.oddsAmerican as OddsMeanings));
  }
  const checked = check(row);
  return checked.ok ? checked : { ok: false, faults: checked.faults.map((each) => asNamed(each, header)) };
}

/** Adds fields that other cells imply: the time of a pick dated by day, half results, and the name behind a handle. */
function completeRow(row: Record<string, unknown>, cells: readonly string[], header: Header): void {
  const cellOf = (field: string) => cells[header.findIndex(({ column }) => column?.field === field)] ?? '';
  const { postedAt, startsAt } = row;
  if (typeof postedAt === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(postedAt)) {
    const start = typeof startsAt === 'string' ? Date.parse(startsAt) : Number.NaN;
    row.postedAt = new Date(postedOnDay(postedAt, Number.isNaN(start) ? null : start)).toISOString();
    row.source ??= 'day';
  }
  if (row.result != null && isHalf(cellOf('result'))) row.half = true;
  if (
    row.handle !== undefined &&
    row.displayName === undefined &&
    row.handle !== cellOf('handle').toLowerCase()
  )
    row.displayName = cellOf('handle').replace(/^@/, '');
}

function unclearText(header: string, cell: string, meanings: OddsMeanings): string {
  const formats = oddsFormats.filter((format) => meanings[format] !== undefined);
  const prices = formats.map((format) => `${signed(meanings[format]!)} if ${format}`);
  return `${header} ${cell} could be ${prices.join(', or ')}: choose with --odds ${formats.join('|')}`;
}

function signed(american: number): string {
  return american > 0 ? `+${american}` : `${american}`;
}

/** Returns a fault with the name of the column in the file. */
function asNamed({ path, message }: Fault, header: Header): Fault {
  const { name, column } = header.find((each) => `/${each.column?.field}` === path) ?? {};
  if (name === undefined) return { path, message };
  const must = message === 'is missing' ? undefined : column?.must;
  return { path: `/${name}`, message: must === undefined ? message : `must be ${must}` };
}

function fault(message: string): Checked<unknown> {
  return { ok: false, faults: [{ path: '', message }] };
}
