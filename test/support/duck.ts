import { DuckDBInstance } from '@duckdb/node-api';

/** Runs SQL in DuckDB, in memory. Numbers of any width are numbers, and other types as JSON has them. */
// biome-ignore lint/suspicious/noExplicitAny: rows are what is being tested
export async function duck(sql: string): Promise<Record<string, any>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJson().map((row) => {
      const types = reader
        .columnNames()
        .map((name, index) => [name, String(reader.columnType(index))] as const);
      return Object.fromEntries(types.map(([name, type]) => [name, shown(row[name] ?? null, type)]));
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function shown(value: unknown, type: string): unknown {
  if (value === null) return null;
  if (/^(U?BIGINT|HUGEINT)$/.test(type)) return Number(value);
  if (type === 'TIMESTAMP WITH TIME ZONE')
    return new Date(String(value).replace(/([+-]\d\d)$/, '$1:00')).toISOString();
  return value;
}

/** Returns the rows of a Parquet file. */
export const parquetRows = (file: string) => duck(`select * from '${file}'`);
