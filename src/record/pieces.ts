import type { ByteWriter } from './byte-writer.ts';
import type { CopiedRow } from './copied-row.ts';
import { cellOf, columnNamed } from './export-columns.ts';

/** Writes a value of a row. */
export type Piece = (row: CopiedRow, out: ByteWriter) => void;

/** How a form of the export writes what the forms write differently. */
interface Form {
  /** A text of a cell. */
  text(cell: number): Piece;
  /** What stands for null. */
  none: string;
  /** What stands before and after an instant. */
  quote: string;
}

/** Writes the values of a column. */
export function pieceOf(name: string, { text, none, quote }: Form): Piece {
  const { type } = columnNamed(name);
  const cell = cellOf.get(name)!;
  const write = ((): Piece => {
    if (type.sql === 'timestamptz')
      return (row, out) => {
        out.text(quote);
        out.instant(row, cell);
        out.text(quote);
      };
    if (type.sql === 'boolean') return (row, out) => out.text(row.text(cell) === 't' ? 'true' : 'false');
    if (type.scaled) return (row, out) => out.text(String(type.show(row.integer(cell) as never)));
    return type.sql === 'int' || type.sql === 'bigint' ? (row, out) => out.cell(row, cell) : text(cell);
  })();
  if (!type.nullable) return write;
  return (row, out) => {
    if (row.isNull(cell)) out.text(none);
    else write(row, out);
  };
}
