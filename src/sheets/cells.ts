import type { SheetField } from './columns.ts';

export interface HeadedCell {
  header: string;
  cell: string;
}

/** Returns the row's cell for a field; empty if there is none. */
export type Cells = (field: SheetField) => string;

/** Returns the row's cells for a field that are not empty. */
export type AllCells = (field: SheetField) => HeadedCell[];

/** Thrown if a row cannot be stored. */
export class RowRefused extends Error {
  readonly choices: string[];

  constructor(message: string, choices: string[] = []) {
    super(message);
    this.choices = choices;
  }
}
