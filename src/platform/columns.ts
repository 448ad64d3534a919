/** A value of a column. An instant is a text. */
type Value = string | number | boolean | null;

/**
 * Rows as a table of a statement, an array for each column: PostgreSQL reads these in half the time that `json_to_recordset` takes.
 * @param types the columns, with their types in PostgreSQL
 * @returns what comes after FROM, to be given a name; and what its question marks stand for
 */
export function columnsOf<Column extends string>(
  types: Readonly<Record<Column, string>>,
  rows: readonly Readonly<Record<Column, Value>>[],
): { table: string; bindings: string[] } {
  const columns = Object.keys(types) as Column[];
  return {
    table: `unnest(${columns.map((column) => `?::${types[column]}[]`).join(', ')})`,
    bindings: columns.map((column) => `{${rows.map((row) => element(row[column])).join(',')}}`),
  };
}

/** An element of an array's text: https://www.postgresql.org/docs/18/arrays.html#ARRAYS-IO */
function element(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}
