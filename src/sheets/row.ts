import type { SheetField } from './fields.ts';

/** Returns the row's cell for a field; empty if there is none. */
export type Cells = (field: SheetField) => string;

/** Thrown if a row cannot be stored. */
export class RowRefused extends Error {
  readonly choices: string[];

  constructor(message: string, choices: string[] = []) {
    super(message);
    this.choices = choices;
  }
}
