import type { Checked } from '../platform/schema.ts';

/** Kinds of rows in files. Later kinds refer to earlier ones. */
export const kinds = ['cappers', 'games', 'lines', 'picks', 'results', 'stats'] as const;
export type Kind = (typeof kinds)[number];

/** A row of a file, checked against the schema of its kind. */
export interface FileRow {
  /** First line of the row, from 1. */
  line: number;
  checked: Checked<unknown>;
}

/** Checks a row against the schema of its kind. */
export type CheckRow = (value: unknown) => Checked<unknown>;
