import type { Static, TObject, TSchema } from 'typebox';
import type { Intake, NotedOutcome } from '../games/row-outcome.ts';
import type { Job } from '../jobs/job.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Checked } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { Typed } from '../rules/typed-numbers.ts';
import type { Cell } from './cells.ts';

/**
 * A field of a row. Every door derives from it: JSON bodies and their reference from schema and description, CSV files from cell, forms from
 * label, hint, schema, and cell.
 */
export interface RowField<S extends TSchema = TSchema> {
  schema: S;
  /** Its meaning. In the reference, the requirement of its schema (`must`) follows. */
  about: string;
  /** Its name in forms. Default: the name of the field in words. */
  label?: string;
  /** Text below its input in forms. */
  hint?: string;
  /** Reads what is typed into a form, if that can be ambiguous. Default: as a cell. */
  typed?(text: string): Typed<unknown>;
  /** How a sheet writes it. Default: as text. Null: no column holds it. */
  cell?: Cell | null;
  /** Set if only files give it, because the service fills it in for live rows. */
  onlyInFiles?: true;
}

export type Fields = Readonly<Record<string, RowField>>;

export type RowOf<F extends Fields> = Static<TObject<{ -readonly [Name in keyof F]: F[Name]['schema'] }>>;

/** How a batch of rows is applied. */
export interface RowIntake extends Intake {
  /** Games that an imported sheet mentions, by `gameKey`. */
  sheetGames?: ReadonlyMap<string, { homeGuessed: boolean; sheet: true }>;
  /** Whether the rows come from a sheet without a column for subjects. */
  isSheet?: boolean;
}

/** A kind of row, as every door knows it. */
export interface RowKind<Row = unknown> {
  /** Name of its rows in JSON schemas. */
  title: string;
  /** The effect of its rows, for the reference. */
  about: string;
  /** The fields by which the same row again changes nothing, and what happens to the others. */
  identity: string;
  /** A valid row, after the examples of the kinds that it refers to. */
  example: object;
  fields: Fields;
  schema: TSchema;
  check(value: unknown): Checked<Row>;
  /** Checks a row of a file. Default: `check`. */
  checkInFile?(value: unknown): Checked<unknown>;
  /** Stores checked rows. Files use it for every kind; live picks go through `operator/posting` instead. */
  apply(transaction: Transaction, rows: readonly Row[], intake: RowIntake): Promise<NotedOutcome[]>;
  /** Jobs that process new rows. They only save time: scheduled runs do the same work a little later. */
  wakes: readonly Job[];
}

/** Returns the schema of rows with these fields. */
export function schemaOf<const F extends Fields>(fields: F, options?: { additionalProperties: boolean }) {
  const schemas = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  return Type.Object(schemas, options) as unknown as TObject<{
    -readonly [Name in keyof F]: F[Name]['schema'];
  }>;
}

export function describedSchema({ title, fields, schema }: RowKind): TSchema {
  const { properties, required: needed = [] } = schema as TObject & { required?: readonly string[] };
  const required = needed.filter((name) => (properties[name] as { default?: unknown }).default === undefined);
  return {
    ...schema,
    title,
    required,
    properties: Object.fromEntries(
      Object.entries(properties as Record<string, { must?: string }>).map(([name, property]) => {
        const optional = required.includes(name) ? [] : ['Optional.'];
        const must = property.must === undefined ? [] : [`It must be ${property.must}.`];
        return [name, { ...property, description: [...optional, fields[name]!.about, ...must].join(' ') }];
      }),
    ),
  } as TSchema;
}

/** Records contradictions of stored rows as notices. @returns the outcome of each row */
export async function withCorrections(
  database: Database,
  { outcomes, corrections }: { outcomes: NotedOutcome[]; corrections: string[] },
  { now }: Intake,
): Promise<NotedOutcome[]> {
  await recordNotices(database, 'correction', corrections, now);
  return outcomes;
}
