import { unitsFromE4 } from '../rules/fixed-point.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { CopiedRow } from './copied-row.ts';
import { cellOf } from './export-rows.ts';

/** Writes a value of a row. */
export type Piece = (row: CopiedRow, out: ByteWriter) => void;

/** The stake, in units. */
export const units: Piece = (row, out) => out.text(String(unitsFromE4(row.integer(cellOf.stakeE4))));

/** The result, without quotes. */
export const result: Piece = (row, out) => {
  if (row.isNull(cellOf.result)) out.text('pending');
  else out.cell(row, cellOf.result);
};
