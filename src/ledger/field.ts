import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { columnsOf } from '../platform/columns.ts';
import type { Transaction } from '../platform/database.ts';
import { nullable } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { AnyType } from './value-types.ts';

/**
 * A field of an event of a pick. The tables of fields (`pick.ts`, `events.ts`) say once what an event consists of: rows, columns, hashed
 * bodies, schemas, exports, and the comparisons of sealing and the audit derive from them.
 */
export interface Field {
  /** The column that stores it, in `picks` (p), `closings` (k), `settlements` (s), `cappers` (c), or `games` (g). */
  column: `${'p' | 'k' | 's' | 'c' | 'g'}.${string}`;
  type: AnyType;
  /** The key in the hashed body; `stat.name` is the key `name` of `stat`. Absent: not hashed. */
  hashed?: string;
  /** The name in JSON, for clients, files, the API, and webhooks. */
  json?: string;
  about?: string;
  /** The column in the record export. Absent: not exported. */
  exported?: string;
  alsoShown?: { json: string; schema: TSchema; show(stored: never): unknown };
  byDatabase?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/** A value in memory, by field: numbers scaled as in the database, instants in epoch milliseconds. */
export type StoredFields<F extends Fields> = { [Name in keyof F]: ReturnType<F[Name]['type']['read']> };

export function sourcesOf<F extends Fields>(fields: F): { readonly [Name in keyof F]: F[Name]['column'] } {
  return Object.fromEntries(Object.entries(fields).map(([name, { column }]) => [name, column])) as never;
}

export function columnName({ column }: Field): string {
  return column.slice(2);
}

/** Yields the fields whose stored value is not the expected one, with that. Columns that the database fills in are left out. */
export function* otherValues(
  fields: Fields,
  stored: object,
  expected: object,
): Generator<{ name: string; column: string; value: unknown }> {
  const [ours, theirs] = [stored, expected] as [Record<string, unknown>, Record<string, unknown>];
  for (const [name, field] of Object.entries(fields))
    if (field.byDatabase === undefined && !isDeepStrictEqual(ours[name], theirs[name]))
      yield { name, column: columnName(field), value: theirs[name] };
}

export interface Insert {
  types: Readonly<Record<string, string>>;
  row(values: Readonly<Record<string, unknown>>): Record<string, Value>;
}

type Value = string | number | boolean | null;

export function insertOf(fields: Fields): Insert {
  const entries = Object.entries(fields).flatMap(([name, field]) =>
    field.byDatabase === undefined ? { name, column: columnName(field), type: field.type } : [],
  );
  return {
    types: Object.fromEntries(entries.map(({ column, type }) => [column, type.sql])),
    row: (values) =>
      Object.fromEntries(
        entries.map(({ name, column, type }) => {
          const value = type.hash(values[name] as never) as Value;
          return [column, type.sql === 'jsonb' && value !== null ? JSON.stringify(value) : value];
        }),
      ),
  };
}

/** The inverse of {@link bodyOf}. @param table the alias of the table in the fields' columns */
export function insertOfBody(fields: Fields, table: 'p' | 'k' | 's') {
  const own = Object.values(fields).flatMap(({ column, hashed, type }) => {
    if (hashed === undefined || !column.startsWith(`${table}.`)) return [];
    const [key = '', part] = hashed.split('.');
    return [{ column: column.slice(2), key, part, type }];
  });
  return {
    types: Object.fromEntries(own.map(({ column, type }) => [column, type.sql])) as Record<string, string>,
    row(body: object): Record<string, Value> {
      const values = body as Readonly<Record<string, unknown>>;
      return Object.fromEntries(
        own.map(({ column, key, part, type }) => {
          const value =
            part === undefined ? values[key] : (values[key] as Record<string, unknown> | null)?.[part];
          return [
            column,
            (type.sql === 'jsonb' && value != null ? JSON.stringify(value) : (value ?? null)) as Value,
          ];
        }),
      );
    },
  };
}

/** @param ending what follows, such as `returning id` */
export async function insertRows<Row>(
  transaction: Transaction,
  into: string,
  { types, row }: Insert,
  rows: readonly object[],
  ending = '',
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const { table, bindings } = columnsOf(
    types,
    rows.map((values) => row(values as Readonly<Record<string, unknown>>)),
  );
  const inserted: { rows: Row[] } = await transaction.raw(
    `insert into ${into} (${Object.keys(types).join(', ')}) select * from ${table} ${ending}`,
    bindings,
  );
  return inserted.rows;
}

/**
 * Returns a function that gives an event's body, without the links that only sealing knows. An object of which every part is null is null;
 * one with some parts was changed by hand, and its body cannot be hashed.
 */
export function bodyOf<Values extends object, Body>(fields: Fields): (values: Values) => Body {
  const hashed = keysOf(fields, ({ hashed: path, type }) => (path === undefined ? [] : [[path, type.hash]]));
  return (values) => ({ v: 1, ...converted(hashed, values) }) as Body;
}

/** Returns a function that gives the fields that clients see, by JSON name. */
export function shownBy<Values extends object, Shown>(fields: Fields): (values: Values) => Shown {
  const shown = keysOf(fields, ({ json, type, alsoShown }) => [
    ...(json === undefined ? [] : [[json, type.show] as const]),
    ...(alsoShown === undefined ? [] : [[alsoShown.json, alsoShown.show] as const]),
  ]);
  return (values) => converted(shown, values) as Shown;
}

/** The schemas of {@link shownBy}, by JSON name. */
export function shownSchemasOf(fields: Fields): Record<string, TSchema> {
  const schemas = keysOf(fields, ({ json, type, about, alsoShown }) => {
    if (json === undefined) return [];
    const schema = about === undefined ? type.shown : { ...type.shown, description: about };
    const own = [json, () => schema] as const;
    return alsoShown === undefined ? [own] : [own, [alsoShown.json, () => alsoShown.schema]];
  });
  return Object.fromEntries(
    schemas.map(({ key, parts }) => {
      const inner = parts.map(({ part, convert }) => [part, convert(null as never)]);
      return [key, inner[0]![0] === '' ? inner[0]![1] : nullable(Type.Object(Object.fromEntries(inner)))];
    }),
  ) as Record<string, TSchema>;
}

type Convert = (stored: never) => unknown;

/** A key of an object, and what is under it: one value, or an object of named parts. */
interface Key {
  key: string;
  parts: { name: string; part: string; convert: Convert }[];
}

/** @param pathsOf the paths under which a field stands: `result`, or `stat.name` */
function keysOf(
  fields: Fields,
  pathsOf: (field: Field) => readonly (readonly [path: string, convert: Convert])[],
): Key[] {
  const all = Object.entries(fields).flatMap(([name, field]) =>
    pathsOf(field).map(([path, convert]) => {
      const [key = '', part = ''] = path.split('.');
      return { name, key, part, convert };
    }),
  );
  return [...Map.groupBy(all, ({ key }) => key)].map(([key, parts]) => ({ key, parts }));
}

function converted(keys: readonly Key[], given: object): object {
  const values = given as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    keys.map(({ key, parts }) => {
      const pairs = parts.map(({ name, part, convert }) => [part, convert(values[name] as never)] as const);
      if (pairs[0]![0] === '') return [key, pairs[0]![1]];
      return [key, pairs.every(([, value]) => value === null) ? null : Object.fromEntries(pairs)];
    }),
  );
}
