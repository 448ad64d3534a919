import { columnNamed, type ExportRow, jsonColumns, permalink, permalinkOf } from './export-columns.ts';
import type { RecordWriter } from './export-rows.ts';
import { type ColumnType, type ParquetColumn, type ParquetRow, parquetRows } from './parquet.ts';

const typeOf = (name: string): ColumnType => {
  if (name === permalink) return 'text';
  const { sql, scaled } = columnNamed(name).type;
  if (scaled) return 'number';
  return (
    ({ boolean: 'boolean', int: 'integer', bigint: 'big', date: 'day', timestamptz: 'instant' } as const)[
      sql as 'int'
    ] ?? 'text'
  );
};

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
