/** A value of a column. An instant is a text. */
type Value = string | number | boolean | null;

/**
 * Rows as a table of a statement, an array for each column: PostgreSQL reads these in half the time that `json_to_recordset` takes.
 * @param types the columns, with their types in PostgreSQL
 * @returns what comes after FROM, to be given a name; and what its question marks stand for
 */
export function columnsOf<Column extends string>(
  types: Types<Column>,
  rows: Rows<Column>,
): { table: string; bindings: string[] } {
  const columns = Object.keys(types) as Column[];
  const given = columns.map((column) => `?::${types[column]}[]`);
  return { table: `unnest(${given.join(', ')})`, bindings: arraysOf(columns, rows) };
}

/** Rows as an array for each column, in the order of the columns, each as its text. */
export function arraysOf<Column extends string>(columns: readonly Column[], rows: Rows<Column>): string[] {
  return columns.map((column) => `{${rows.map((row) => element(row[column])).join(',')}}`);
}

type Types<Column extends string> = Readonly<Record<Column, string>>;
type Rows<Column extends string> = readonly Readonly<Record<Column, Value>>[];

/** An element of an array's text: https://www.postgresql.org/docs/18/arrays.html#ARRAYS-IO */
function element(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}
