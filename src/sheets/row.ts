import type { SheetField } from './columns.ts';

/** The cell of a row in the column of a field; empty if there is none. */
export type Cells = (field: SheetField) => string;

/** Thrown where a row cannot be stored. */
export class RowRefused extends Error {
  readonly choices: string[];

  constructor(message: string, choices: string[] = []) {
    super(message);
    this.choices = choices;
  }
}
