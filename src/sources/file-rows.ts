import type { Checked } from '../platform/schema.ts';

/** Kinds of rows in files: later kinds refer to earlier ones. */
export const kinds = ['cappers', 'games', 'lines', 'picks', 'results', 'stats'] as const;
export type Kind = (typeof kinds)[number];

/** A row of a file, checked by the schema of its kind. */
export interface FileRow {
  /** The line that it begins on, from 1. */
  line: number;
  checked: Checked<unknown>;
}

/** Checks a row by the schema of its kind. */
export type CheckRow = (value: unknown) => Checked<unknown>;
