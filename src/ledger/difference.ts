import type { Database } from '../platform/database.ts';

/** A discrepancy that an audit found: a value differs from the sealed, signed, or published one, or violates the rules or the schema. */
export class Difference extends Error {
  override name = 'Difference';
  readonly table: string;
  /** The row's key, such as `seq 17`. */
  readonly row: string;
  readonly column: string | null;

  constructor(table: string, row: string, column: string | null, sentence: string) {
    super(`${table}, ${row}${column === null ? '' : `, column ${column}`}: ${sentence}`);
    this.table = table;
    this.row = row;
    this.column = column;
  }
}

/** Returns a function that makes the differences of a row. */
export const differing =
  (table: string, row: string) =>
  (column: string | null, sentence: string): Difference =>
    new Difference(table, row, column, sentence);

/** @param sql selects `table`, `row`, `column`, which is null unless a single column is wrong, and `sentence` */
export async function* differencesIn(
  database: Database,
  sql: string,
  bindings?: Readonly<Record<string, string | number>>,
): AsyncGenerator<Difference> {
  const { rows }: { rows: { table: string; row: string; column: string | null; sentence: string }[] } =
    await database.raw(sql, bindings!);
  for (const { table, row, column, sentence } of rows) yield new Difference(table, row, column, sentence);
}
