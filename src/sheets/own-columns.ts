import { createReadStream, type ReadStream } from 'node:fs';
import { type Cell, dateOrdersOf, marksOf, postedOnDay, type Sheet, textCell } from '../intake/cells.ts';
import type { Fields } from '../intake/kind.ts';
import { type FileKind, kinds } from '../intake/kinds.ts';
import type { Checked, Fault } from '../platform/schema.ts';
import { noteOdds, type OddsCells } from '../rules/odds-format.ts';
import { RowRefused } from './cells.ts';
import { columnOf, fieldNamed, plain, type SheetField } from './columns.ts';
import { type CsvRecord, decoded, delimiterOf, headOf, records } from './csv.ts';
import { checkRemark } from './modifiers.ts';
import {
  formatInHeader,
  formatText,
  type OddsColumn,
  oddsColumnOf,
  readOddsCell,
  type SheetOddsFormat,
} from './odds-column.ts';
import { type ResultColumn, resultColumnOf } from './results.ts';

/** A row of a file, checked against the schema of its kind. */
export interface FileRow {
  /** First line of the row, from 1. */
  line: number;
  checked: Checked<unknown>;
}

/** Checks a row against the schema of its kind. */
export type CheckRow = (value: unknown) => Checked<unknown>;

export interface SheetOptions {
  /** IANA time zone of times without one. Default: such times are refused. */
  zone?: string | undefined;
  /** Format of odds that are valid in several formats. Default: such odds are refused. */
  odds?: SheetOddsFormat | undefined;
}

export interface SheetReport {
  /** Called with each header that names no field. */
  onUnread(header: string): void;
  /** Called with a sentence on the format of the odds. */
  onOdds(text: string): void;
}

/** The meaning of cells that only whole columns decide. */
interface WholeFile extends Sheet {
  odds: OddsColumn;
  results: ResultColumn;
  /** Whether the file is the record export, which puts an apostrophe before texts that could run as formulas. */
  isExport: boolean;
}

/**
 * Yields the rows of a CSV file whose header has the service's own columns, as spreadsheets export it: with commas, semicolons, or tabs, in
 * UTF-8 or UTF-16, with quotes and blank rows. Faults name a column as the header does. A header without a required column, or an unclosed
 * quote, is one fault and ends the reading. Memory is bounded by a chunk of the file and the distinct cells of odds and results. A file with
 * odds, results, or times is read twice, because whole columns decide what their cells mean.
 */
export async function* csvRows(
  stream: ReadStream,
  kind: FileKind,
  check: CheckRow,
  { zone, odds: chosen }: SheetOptions,
  { onUnread, onOdds }: SheetReport,
): AsyncGenerator<FileRow> {
  const { encoding, text } = await headOf(stream.path as string);
  const delimiter = delimiterOf(text);
  const rowsOf = (file: ReadStream) => records(decoded(file, encoding), delimiter);
  const head = await readHead(rowsOf(createReadStream(stream.path)), kind, check);
  if ('fault' in head) {
    stream.destroy();
    yield { line: head.line, checked: fault(head.fault) };
    return;
  }
  const { header, seen } = head;
  for (const { name, field } of header) if (name !== '' && field === undefined) onUnread(name);
  const of = (test: (each: OwnColumn) => boolean) =>
    header.flatMap((each, at) => (test(each) ? [...seen[at]!] : []));
  const marks = marksOf({ delimiter });
  const priced = header.find(({ field }) => field === 'oddsAmerican');
  const prices = of((each) => each === priced);
  const odds = oddsColumnOf(prices, { header: priced?.format, chosen, marks });
  const results = resultColumnOf(
    of(({ field }) => field === 'result').map((cell) => ({ cell, profit: undefined })),
    () => undefined,
  );
  const [dates] = dateOrdersOf(of(({ field, cell }) => field !== undefined && cell.isTime === true));
  const isExport = kind === 'picks' && header.some(({ field }) => field === 'uuid');
  const file: WholeFile = { delimiter, zone, dates, odds, results, isExport };
  if (priced !== undefined) {
    const found: OddsCells = {};
    for (const cell of prices) noteOdds(found, cell, marks);
    onOdds(oddsText(priced.name, found, odds));
  }
  for await (const { line, cells } of rowsOf(stream))
    try {
      if ('fault' in cells) yield { line, checked: fault(cells.fault) };
      else if (line > head.line) {
        if (kind === 'picks' && !isExport) checkRemarks(cells, header);
        yield { line, checked: checkCells(cells, header, file, check) };
      }
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error;
      yield { line, checked: fault(error.message) };
    }
}

/** Maximum number of rows skipped above the header: titles, and the `sep=;` of spreadsheets. */
const maxTitles = 20;

/** Reports whether a row cannot be the header: it has a single cell, or is `sep=`. */
function isTitle(cells: readonly string[]): boolean {
  return cells.filter((cell) => cell !== '').length === 1 || /^sep=/i.test(cells[0] ?? '');
}

/**
 * Reads the header and the distinct cells of the columns that are read as a whole: odds, results, and the days of times. A file without
 * such a column is not read further.
 * @returns the header and its line, or why it cannot be used
 */
async function readHead(
  rows: AsyncIterable<CsvRecord>,
  kind: FileKind,
  check: CheckRow,
): Promise<{ line: number; header: Header; seen: Set<string>[] } | { line: number; fault: string }> {
  let found: { line: number; header: Header; seen: Set<string>[] } | undefined;
  let whole: number[] = [];
  let titles = 0;
  for await (const { line, cells } of rows) {
    if ('fault' in cells) {
      if (found === undefined) return { line, fault: cells.fault };
    } else if (found !== undefined) {
      for (const at of whole) {
        const cell = cells[at] ?? '';
        if (cell !== '') found.seen[at]!.add(found.header[at]!.cell.isTime ? cell.slice(0, 10) : cell);
      }
    } else if (isTitle(cells) && titles < maxTitles) titles += 1;
    else {
      const header = headerOf(cells, kind, check);
      if (typeof header === 'string') return { line, fault: `${header}; nothing of the file was read` };
      found = { line, header, seen: header.map(() => new Set()) };
      whole = header.flatMap(({ field, cell }, at) =>
        field === 'oddsAmerican' || field === 'result' || (field !== undefined && cell.isTime) ? [at] : [],
      );
      if (whole.length === 0) break;
    }
  }
  if (found === undefined && titles > 0)
    return { line: 1, fault: 'no row is a header of several columns; nothing of the file was read' };
  return found ?? { line: 1, header: [], seen: [] };
}

function oddsText(header: string, found: OddsCells, column: OddsColumn): string {
  if (column.format !== undefined) return `${header} is ${formatText(column.format)}, judging by the column`;
  const { proven, format } = column.reading;
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

/** A column of a file in the service's own columns. `field`: undefined if it is not read. */
interface OwnColumn {
  name: string;
  field: string | undefined;
  cell: Cell;
  /** The format of odds that the header names. */
  format?: SheetOddsFormat;
}

type Header = OwnColumn[];

/** Fields of rows that bets call otherwise. */
const rowNames: Partial<Record<SheetField, string>> = {
  league: 'sport',
  capperHandle: 'handle',
  subject: 'player',
  odds: 'oddsAmerican',
  oddsDecimal: 'oddsAmerican',
  oddsFractional: 'oddsAmerican',
};

const otherHeaders: Readonly<Record<string, string>> = {
  displayName: 'name',
  player: 'name',
  capturedAt: 'captured seen seenat',
  finalAt: 'final ended',
  sets: 'setscores',
  periods: 'innings',
  competition: 'tournament',
};

/** Returns the column of a kind of row under a header. */
export function ownColumn(name: string, fields: Fields): OwnColumn {
  const key = plain(name);
  const known = fieldNamed(name);
  const inFields = (field: string | undefined) =>
    field !== undefined && fields[field] !== undefined && fields[field].cell !== null ? field : undefined;
  const exact = Object.keys(fields).find(
    (field) => plain(field) === key || otherHeaders[field]?.split(' ').includes(key),
  );
  const format = formatInHeader(name);
  const field =
    inFields(exact) ??
    (known?.isOwn ? (inFields(known.field) ?? inFields(rowNames[known.field])) : undefined) ??
    (format === undefined ? undefined : inFields('oddsAmerican'));
  return {
    name,
    field,
    cell: (field === undefined ? undefined : fields[field]?.cell) ?? textCell,
    ...(field === 'oddsAmerican' && format !== undefined ? { format } : {}),
  };
}

/** Reports whether a column of a sheet says that a bet was another one, or none: live, parlay, lay. */
function changesBets(name: string): boolean {
  const field = fieldNamed(name)?.field;
  if (field === undefined) return false;
  const { refusedIfYes, refusedIfNo } = columnOf(field);
  return (
    /^(?:kind|legs?|period|betId)$/.test(field) || refusedIfYes !== undefined || refusedIfNo !== undefined
  );
}

/** Returns the columns of a header, or the reason why it cannot be used. */
function headerOf(names: readonly string[], kind: FileKind, check: CheckRow): Header | string {
  const header = names.map((name) => ownColumn(name, kinds[kind].fields));
  const leaveOut = (field: string, isRead: (each: OwnColumn) => boolean) => {
    const same = header.filter((each) => each.field === field);
    if (same.length === 2 && same.filter(isRead).length === 1)
      for (const each of same) if (!isRead(each)) each.field = undefined;
  };
  // Given a sport and a league, reads the league. Given odds in two formats, reads the American ones, or the ones without a format in their
  // header.
  leaveOut('sport', ({ name }) => plain(name) === 'league');
  const isAmerican = header.some(({ format }) => format === 'american');
  leaveOut('oddsAmerican', ({ format }) => format === (isAmerican ? 'american' : undefined));
  const fields = header.flatMap(({ field }) => field ?? []);
  const twice = fields.find((field, at) => fields.indexOf(field) < at);
  if (twice !== undefined) {
    const same = header.filter(({ field }) => field === twice).map(({ name }) => name);
    return `the columns ${same.join(' and ')} mean the same, ${twice}`;
  }
  const changing =
    kind === 'picks' ? header.find(({ name, field }) => field === undefined && changesBets(name)) : undefined;
  if (changing !== undefined)
    return `the column ${changing.name} can change what was bet, which only a sheet says: use --capper`;
  // The faults of an empty row name the required fields.
  const blank = check({});
  const missing = (blank.ok ? [] : blank.faults)
    .filter(({ message }) => message === 'is missing')
    .map(({ path }) => path.slice(1))
    .filter((field) => !fields.includes(field));
  return missing.length > 0 ? `the header has no column for ${missing.join(', ')}` : header;
}

/** Checks the columns of a pick that are not read. @throws RowRefused if one says that the bet was another, or none */
function checkRemarks(cells: readonly string[], header: Header): void {
  for (const [at, { name, field }] of header.entries())
    if (field === undefined && cells[at]) checkRemark({ header: name, cell: cells[at] }, []);
}

function checkCells(
  cells: readonly string[],
  header: Header,
  sheet: WholeFile,
  check: CheckRow,
): Checked<unknown> {
  if (cells.slice(header.length).some((cell) => cell !== ''))
    return fault(`the row has ${cells.length} cells, the header ${header.length}`);
  if (cells.some((cell) => cell.includes('\ufffd')))
    return fault('the text is not in UTF-8: export the sheet as CSV in UTF-8');
  const row: Record<string, unknown> = {};
  for (const [at, { name, field, cell: kind }] of header.entries()) {
    const cell = cells[at] ?? '';
    if (field === undefined || cell === '') continue;
    if (field === 'oddsAmerican') {
      const odds = readOddsCell(cell, sheet.odds, marksOf(sheet));
      if (typeof odds === 'string') return fault(`${name}: ${odds}`);
      row[field] = odds;
    } else if (field === 'result') {
      const result = resultIn(cell, sheet.results);
      if (result === undefined)
        return fault(
          `${name} says ${cell}, which the column does not decide. Write win, loss, push, or void.`,
        );
      Object.assign(row, result);
    } else row[field] = kind.read(sheet.isExport ? cell.replace(/^'/, '') : cell, sheet);
  }
  completeRow(row, cells, header);
  const checked = check(row);
  return checked.ok ? checked : { ok: false, faults: checked.faults.map((each) => asNamed(each, header)) };
}

/** Adds fields that other cells imply: the time of a pick dated by day, and the name behind a handle. */
function completeRow(row: Record<string, unknown>, cells: readonly string[], header: Header): void {
  const cellOf = (name: string) => cells[header.findIndex(({ field }) => field === name)] ?? '';
  const { postedAt, startsAt } = row;
  if (typeof postedAt === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(postedAt)) {
    const start = typeof startsAt === 'string' ? Date.parse(startsAt) : Number.NaN;
    row.postedAt = new Date(postedOnDay(postedAt, Number.isNaN(start) ? null : start)).toISOString();
    row.source ??= 'day';
  }
  if (
    row.handle !== undefined &&
    row.displayName === undefined &&
    row.handle !== cellOf('handle').toLowerCase()
  )
    row.displayName = cellOf('handle').replace(/^@/, '');
}

/** Returns the fields of a result; undefined if the column does not decide it. */
function resultIn(cell: string, results: ResultColumn): Record<string, unknown> | undefined {
  const read = results.read(cell);
  if (typeof read === 'object') return { result: read.result, ...(read.half ? { half: true } : {}) };
  return read === 'open' || read === 'cashout' ? { result: null } : undefined;
}

function asNamed({ path, message }: Fault, header: Header): Fault {
  const { name, cell } = header.find(({ field }) => `/${field}` === path) ?? {};
  if (name === undefined) return { path, message };
  const must = message === 'is missing' ? undefined : cell?.must;
  return { path: `/${name}`, message: must === undefined ? message : `must be ${must}` };
}

function fault(message: string): Checked<unknown> {
  return { ok: false, faults: [{ path: '', message }] };
}
