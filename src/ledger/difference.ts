/** Something that an audit found to be other than it was sealed, signed or published, or than the rules and the schema require. */
export class Difference extends Error {
  override name = 'Difference';
  /** The table, or `CHECKPOINT_STORE`. */
  readonly table: string;
  /** The row's key, such as `seq 17`. */
  readonly row: string;
  /** The column, where it can be told. */
  readonly column: string | null;

  constructor(table: string, row: string, column: string | null, sentence: string) {
    super(`${table}, ${row}${column === null ? '' : `, column ${column}`}: ${sentence}`);
    this.table = table;
    this.row = row;
    this.column = column;
  }
}
