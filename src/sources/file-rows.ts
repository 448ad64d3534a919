import { type KindName, kindNames } from '../intake/kinds.ts';
import type { Checked } from '../platform/schema.ts';

/** Kinds of rows in files. */
export type Kind = Exclude<KindName, 'notices'>;
export const fileKinds = kindNames.filter((kind) => kind !== 'notices');

/** A row of a file, checked against the schema of its kind. */
export interface FileRow {
  /** First line of the row, from 1. */
  line: number;
  checked: Checked<unknown>;
}

/** Checks a row against the schema of its kind. */
export type CheckRow = (value: unknown) => Checked<unknown>;
