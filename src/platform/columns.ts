import type { Knex } from 'knex';

/** A value of a column. An instant is a text. */
type Value = string | number | boolean | null;

/**
 * Rows as a table of a statement, one array per column.
 * @param types the columns, with their types in PostgreSQL
 * @returns what comes after FROM, to be given a name; and the bindings of its question marks
 */
export function columnsOf<Column extends string>(
  types: Readonly<Record<Column, string>>,
  rows: readonly Readonly<Record<Column, Value>>[],
): { table: string; bindings: Knex.RawBinding[] } {
  const columns = Object.keys(types) as Column[];
  return {
    table: `unnest(${columns.map((column) => `?::${types[column]}[]`).join(', ')})`,
    bindings: columns.map((column) => rows.map((row) => row[column]) as Knex.RawBinding),
  };
}
