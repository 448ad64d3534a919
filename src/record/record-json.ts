import { type Options, stringify } from 'csv-stringify/sync';
import { iso, isoOrNull } from '../platform/clock.ts';
import {
  columnNamed,
  csvColumns,
  csvName,
  type ExportRow,
  jsonColumns,
  permalink,
  permalinkOf,
} from './export-columns.ts';
import { type ExportFilter, rowCap } from './export-filter.ts';
import type { RecordWriter } from './export-rows.ts';
import { type ColumnType, type ParquetColumn, type ParquetRow, parquetRows } from './parquet.ts';

const contract =
  'The ledger is append-only: rows are locked at post time, and there are no retroactive edits or deletes. ' +
  'A pick gains its closing price and its result once; nothing else about it ever changes.';

export function schemaUrl(baseUrl: string): string {
  return `${baseUrl}/record/export.schema.json`;
}

/** Version 1 of the JSON export. */
export function recordJson(filter: ExportFilter, baseUrl: string, now: EpochMs): RecordWriter {
  const chunks: Buffer[] = [];
  let count = 0;
  return {
    add(rows) {
      const objects = rows.map((row) => ({
        ...row,
        sport: String(row.sport).toUpperCase(),
        [permalink]: permalinkOf(row, baseUrl),
      }));
      const list = JSON.stringify(objects, jsonColumns as string[]).slice(1, -1);
      chunks.push(Buffer.from(count === 0 ? list : `,${list}`));
      count += rows.length;
    },
    end() {
      const end = ']}';
      const head = envelope(filter, baseUrl, now, { count, isReachable: true }).slice(0, -end.length);
      return Buffer.concat([Buffer.from(head), ...chunks, Buffer.from(end)]);
    },
  };
}

/** Returns the text around the time of the export, so that a repeated export has the same entity tag. */
export function untimed(content: Buffer): Buffer[] {
  const stamp = '"generated_at":"';
  const at = content.indexOf(stamp) + stamp.length;
  return [content.subarray(0, at), content.subarray(content.indexOf('"', at))];
}

export function unreachableJson(filter: ExportFilter, baseUrl: string, now: number): string {
  return envelope(filter, baseUrl, now, { count: 0, isReachable: false });
}

/** Returns an export without rows. `picks` comes last, so that rows can be appended. */
function envelope(
  { since, sport, limit }: ExportFilter,
  baseUrl: string,
  now: number,
  { count, isReachable }: { count: number; isReachable: boolean },
): string {
  return JSON.stringify({
    schema: schemaUrl(baseUrl),
    generated_at: iso(now),
    filters: { since: isoOrNull(since), sport, limit },
    row_cap: rowCap,
    count,
    db_reachable: isReachable,
    contract,
    picks: [],
  });
}

const nullable = (type: string) => ({ type: [type, 'null'] });
const timestamp = { type: 'string', format: 'date-time' };

function typeOf(name: string): ColumnType {
  if (name === permalink) return 'text';
  const { sql, scaled } = columnNamed(name).type;
  if (scaled) return 'number';
  return (
    ({ boolean: 'boolean', int: 'integer', bigint: 'big', date: 'day', timestamptz: 'instant' } as const)[
      sql as 'int'
    ] ?? 'text'
  );
}

function valueSchema(name: string): object {
  if (name === permalink) return { type: 'string', format: 'uri', description: 'The page of the row.' };
  const { type, about } = columnNamed(name);
  const { enum: values } = type.shown as { enum?: readonly string[] };
  const of = typeOf(name);
  const kind = { big: 'integer', day: 'string', instant: 'string', text: 'string' }[of as 'big'] ?? of;
  return {
    ...(values === undefined ? { type: kind } : { enum: values }),
    ...(of === 'instant' ? { format: 'date-time' } : {}),
    ...(type.nullable ? nullable(kind) : {}),
    description: about,
  };
}

export function recordJsonSchema(baseUrl: string): object {
  const row = Object.fromEntries(jsonColumns.map((name) => [name, valueSchema(name)]));
  const filters = {
    since: { ...timestamp, ...nullable('string') },
    sport: nullable('string'),
    limit: { type: 'integer', minimum: 1, maximum: rowCap },
  };
  const envelope = {
    schema: { type: 'string', format: 'uri' },
    generated_at: timestamp,
    filters: { type: 'object', properties: filters, required: Object.keys(filters) },
    row_cap: { const: rowCap },
    count: { type: 'integer', minimum: 0, maximum: rowCap },
    db_reachable: { type: 'boolean' },
    contract: { type: 'string' },
    picks: { type: 'array', items: { type: 'object', properties: row, required: Object.keys(row) } },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrl(baseUrl),
    title: 'Record export, version 1',
    type: 'object',
    properties: envelope,
    required: Object.keys(envelope),
  };
}

/** The row after the header during an outage of the database. */
const unreachable =
  '# db_reachable=false: the ledger cannot be read at the moment; missing rows mean nothing else';

/**
 * Matches texts that a spreadsheet could run as a formula (OWASP: CSV injection). They begin with a sign for formulas, in ASCII, full
 * width, or small form. Characters that some programs trim, strip, or split at can precede it: white space, invisible and control
 * characters, quotes, and separators. Such texts, and texts that begin with an apostrophe, get an apostrophe in front. Removing one leading
 * apostrophe therefore always restores the text.
 */
const mayRun =
  /^(?:['\t\r\n]|[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}"';,]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B])/u;

function guarded(text: string): string {
  return mayRun.test(text) ? `'${text}` : text;
}

/** Guards texts only, so that numbers stay numbers. */
const options: Options = {
  record_delimiter: '\r\n',
  quote_record_delimiter: true,
  cast: { string: guarded, boolean: String },
};

const header = stringify([csvColumns.map(csvName)], options);

/** Creates a writer of the CSV export, version 1: RFC 4180 with CRLF. */
export function recordCsv(baseUrl: string): RecordWriter {
  const chunks = [Buffer.from(header)];
  return {
    add(rows) {
      const cells = rows.map((row) =>
        csvColumns.map((name) => (name === permalink ? permalinkOf(row, baseUrl) : row[name])),
      );
      chunks.push(Buffer.from(stringify(cells, options)));
    },
    end: () => Buffer.concat(chunks),
  };
}

export function unreachableCsv(): string {
  return `${header}${unreachable}\r\n`;
}

/** The columns of the record in Parquet: those of JSON, with the sport in lower case. */
export const recordColumns: readonly ParquetColumn[] = jsonColumns.map((name) => ({
  name,
  type: typeOf(name),
}));

/** Adds what only the export has to a row, in place. */
export function parquetRow(row: ExportRow, baseUrl: string): ParquetRow {
  return Object.assign(row, { [permalink]: permalinkOf(row, baseUrl) });
}

/** Creates a writer of the export as Parquet. @param isReachable whether the database is; its key is in the file's metadata */
export function recordParquet(baseUrl: string, isReachable = true): RecordWriter {
  const rows = parquetRows(recordColumns, { db_reachable: String(isReachable) });
  return {
    add: (added) => rows.add(added.map((row) => parquetRow(row, baseUrl))),
    end: rows.end,
  };
}
