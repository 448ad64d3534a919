import { parse } from 'csv-parse/sync';

/** A row of `/record/export.csv` by column name. A cell without a value is empty. */
type RecordRow = Record<string, string>;

/** Columns of free text, in which the export prefixes an apostrophe to anything that a spreadsheet might run. */
const texts = ['game', 'pick', 'subject'];

/** Reads one page of the record from `/record/export.csv`. */
async function recordCsv(address: string, params: Record<string, string | number>): Promise<RecordRow[]> {
  const query = new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const response = await fetch(`${address}/record/export.csv?${query}`);
  if (response.status !== 200) throw new Error(`${response.status} for ${response.url}`);
  const rows: RecordRow[] = parse(await response.text(), { columns: true });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name, texts.includes(name) ? cell.replace(/^'/, '') : cell]),
    ),
  );
}

/** Reads the whole record in pages, by `after_id` as the export's documentation says, in order of ids. */
export async function wholeRecord(address: string, limit = 1000): Promise<RecordRow[]> {
  const rows: RecordRow[] = [];
  for (;;) {
    const page = await recordCsv(address, { after_id: rows.at(-1)?.id ?? 0, limit });
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}
