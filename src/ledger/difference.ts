/** A discrepancy that an audit found: a value differs from the sealed, signed, or published one, or violates the rules or the schema. */
export class Difference extends Error {
  override name = 'Difference';
  readonly table: string;
  /** The row's key, such as `seq 17`. */
  readonly row: string;
  /** The column, if a single column differs. */
  readonly column: string | null;

  constructor(table: string, row: string, column: string | null, sentence: string) {
    super(`${table}, ${row}${column === null ? '' : `, column ${column}`}: ${sentence}`);
    this.table = table;
    this.row = row;
    this.column = column;
  }
}
