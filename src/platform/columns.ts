import type { Knex } from 'knex';

/** Instants are text. */
type Value = string | number | boolean | null;

/**
 * One array per column.
 * @param types PostgreSQL types of the columns
 * @returns an expression for FROM, to be given an alias, and the bindings of its placeholders
 */
export function columnsOf<Column extends string>(
  types: Readonly<Record<Column, string>>,
  rows: readonly Readonly<Record<Column, Value>>[],
): { table: string; bindings: Knex.RawBinding[] } {
  const columns = Object.keys(types) as Column[];
  return {
    table: `unnest(${columns.map((column) => `?::${types[column]}[]`).join(', ')})`,
    bindings: columns.map((column) => rows.map((row) => row[column]) as Knex.RawBinding),
  };
}

type Named<Text extends string> = Text extends `${infer Column}, ${infer Rest}`
  ? Named<Column> | Named<Rest>
  : Text extends `${infer Name} ${string}`
    ? Name
    : never;

/** The types of columns as SQL declares them: `id bigint, sport text`. */
export function columnTypes<Text extends string>(columns: Text) {
  return Object.fromEntries(columns.split(', ').map((column) => column.split(' '))) as {
    readonly [Name in Named<Text>]: string;
  };
}

/** The words of a text, as types. */
export type Words<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : Text;
type Camel<Name extends string> = Name extends `${string}.${infer Column}`
  ? Camel<Column>
  : Name extends `${infer First}_${infer Rest}`
    ? `${First}${Capitalize<Camel<Rest>>}`
    : Name;

/** As SELECT takes them: `startsAt: 'g.starts_at'` for `g.starts_at`. */
export function inCamelCase<Text extends string>(columns: Text) {
  const camel = (name: string) =>
    name.replace(/^.*\./, '').replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(columns.split(' ').map((name) => [camel(name), name])) as {
    readonly [Name in Words<Text> as Camel<Name>]: Name;
  };
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
