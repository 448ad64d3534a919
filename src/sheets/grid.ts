import { basename, extname } from 'node:path';
import { delimiterOf, encodingOf, records } from './csv.ts';
import { SheetError, sheetsOf } from './workbook.ts';

/** A table of text cells. */
export interface Grid {
  /** The file's name, with the sheet's name if a workbook has several. */
  name: string;
  /** Whether numbers have decimal commas, which is assumed if semicolons separate the columns. */
  decimalComma: boolean;
  rows: { line: number; cells: string[] }[];
  /** Whether serial numbers of days count from 1904 and not from 1900. */
  is1904?: boolean;
}

/** Maximum size of a file in bytes, of a table in rows and columns, and of a cell in characters. */
export const sheetLimits = { bytes: 20 * 2 ** 20, rows: 50_000, columns: 200, cell: 2_000 } as const;

/**
 * Reads the tables of a file, by its extension: `.xlsx` (one per sheet), `.csv`, `.tsv`, `.json` (an array of objects), and `.ndjson`. The
 * keys of objects become the header.
 * @throws SheetError
 */
export async function gridsOf(file: string, bytes: Buffer): Promise<Grid[]> {
  if (bytes.length > sheetLimits.bytes)
    throw new SheetError(`${file} is larger than ${sheetLimits.bytes / 2 ** 20} MB. Split it.`);
  const name = basename(file);
  const type = extname(name).toLowerCase();
  if (type === '.xlsx') {
    const sheets = await sheetsOf(bytes);
    return sheets.map(({ name: tab, rows, is1904 }) => ({
      ...gridOf(
        sheets.length === 1 ? name : `${name}, sheet ${tab}`,
        false,
        rows.map((cells, at) => ({ line: at + 1, cells })),
      ),
      is1904,
    }));
  }
  if (type === '.xls' || type === '.ods' || type === '.numbers')
    throw new SheetError(`${file} is in an unsupported format. Save it as .xlsx or .csv.`);
  const text = textOf(bytes);
  if (type === '.json' || type === '.ndjson' || type === '.jsonl') return [objectsGrid(name, text, type)];
  return [await csvGrid(name, text)];
}

function textOf(bytes: Buffer): string {
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  // Excel on Windows still exports CSV in this encoding.
  return text.includes('\ufffd') && encoding === 'utf-8'
    ? new TextDecoder('windows-1252').decode(bytes)
    : text;
}

async function csvGrid(name: string, text: string): Promise<Grid> {
  const delimiter = delimiterOf(text);
  const rows: Grid['rows'] = [];
  for await (const { line, cells } of records([text], delimiter)) {
    if ('fault' in cells) throw new SheetError(`${name} cannot be read as a table: ${cells.fault}.`);
    if (rows.length > 0 || !/^sep=/i.test(cells[0]!)) rows.push({ line, cells });
  }
  return gridOf(name, delimiter === ';', rows);
}

function objectsGrid(name: string, text: string, type: string): Grid {
  const wrong = () => new SheetError(`${name} is not a list of JSON objects.`);
  let values: unknown[];
  try {
    const whole: unknown = type === '.json' ? JSON.parse(text) : undefined;
    const lines = () =>
      text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line): unknown => JSON.parse(line));
    const list = whole ?? lines();
    // Some exports wrap the rows: { "bets": [...] }.
    const inside = Array.isArray(list) ? list : Object.values(list as object).find(Array.isArray);
    if (inside === undefined) throw wrong();
    values = inside;
  } catch {
    throw wrong();
  }
  const header = new Map<string, number>([]);
  const records = values.slice(0, sheetLimits.rows + 1).map((value) => {
    const record = new Map<string, string>();
    flatten(value, '', record, 0);
    for (const key of record.keys())
      if (!header.has(key) && header.size < sheetLimits.columns) header.set(key, header.size);
    return record;
  });
  const keys = [...header.keys()];
  return gridOf(name, false, [
    { line: 0, cells: keys.map((key) => key.replaceAll('.', ' ')) },
    ...records.map((record, at) => ({ line: at + 1, cells: keys.map((key) => record.get(key) ?? '') })),
  ]);
}

/** Collects the values of an object by path: `{ event: { name } }` and `{ event: [{ name }] }` have `event.name`. */
function flatten(value: unknown, path: string, into: Map<string, string>, depth: number): void {
  if (value === null || value === undefined || into.size >= sheetLimits.columns) return;
  if (typeof value !== 'object') {
    if (path !== '') into.set(path, String(value));
  } else if (Array.isArray(value)) {
    // A slip lists its bets. Those of a multiple are its legs, and only their number matters.
    if (value.length === 1) flatten(value[0], path, into, depth + 1);
    else if (typeof value[0] === 'object') into.set(`${path}.number of legs`, String(value.length));
    else into.set(path, value.join(', '));
  } else if (depth < 4)
    for (const [key, inner] of Object.entries(value))
      flatten(inner, path === '' ? key : `${path}.${key}`, into, depth + 1);
}

function gridOf(name: string, decimalComma: boolean, rows: Grid['rows']): Grid {
  const filled = rows
    .map(({ line, cells }) => ({
      line,
      cells: cells
        .slice(0, sheetLimits.columns)
        .map((cell) => cell.slice(0, sheetLimits.cell).replace(/\s+/g, ' ').trim()),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (filled.length > sheetLimits.rows)
    throw new SheetError(`${name} has more than ${sheetLimits.rows} rows. Split it.`);
  return { name, decimalComma, rows: filled };
}
