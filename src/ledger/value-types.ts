import type { Static, TSchema } from 'typebox';
import { iso, instant as readInstant } from '../platform/clock.ts';
import { nullable } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { unitsFromE4, unitsToE4 } from '../rules/fixed-point.ts';

/**
 * A type with three forms of each value: *stored* in tables and programs, *hashed* in bodies and bound to SQL statements, *shown* to
 * clients and read from them.
 */
export interface ValueType<Stored, Hashed extends TSchema, Shown extends TSchema> {
  /** The PostgreSQL type of its columns. */
  sql: 'bigint' | 'boolean' | 'int' | 'text' | 'timestamptz' | 'uuid';
  hashed: Hashed;
  shown: Shown;
  hash(stored: Stored): Static<Hashed>;
  show(stored: Stored): Static<Shown>;
  read(shown: Static<Shown>): Stored;
  /** Set if the stored unit is smaller than the shown one. */
  scaled?: true;
  nullable?: true;
}

export interface AnyType
  extends Pick<ValueType<never, TSchema, TSchema>, 'sql' | 'hashed' | 'shown' | 'scaled' | 'nullable'> {
  hash(stored: never): unknown;
  show(stored: never): unknown;
  read(shown: never): unknown;
}

/** Returns a type whose three forms are equal. */
function same<Hashed extends TSchema, Shown extends TSchema>(
  sql: AnyType['sql'],
  hashed: Hashed,
  shown: Shown,
): ValueType<Static<Shown>, Hashed, Shown> {
  const keep = (value: unknown) => value as never;
  return { sql, hashed, shown, hash: keep, show: keep, read: keep };
}

const string = Type.String();
const whole = Type.Integer();
const truth = Type.Boolean();

export const text = same('text', string, string);
export const lowerCase = { ...text, read: (given: string) => given.toLowerCase() };
/** American odds. */
export const price = same('int', whole, whole);
export const integer = same('int', whole, whole);
export const flag = same('boolean', truth, truth);
/** The id of a row. */
export const id = same('bigint', whole, whole);
const uuidText = Type.String({ format: 'uuid' });
export const uuid = same('uuid', uuidText, uuidText);

/** A text that the API describes with its own schema, such as a closed list. */
export const word = <Shown extends TSchema>(shown: Shown) => same('text', string, shown);
/** A word of a closed list, which bodies are also checked against. */
export const oneOf = <Schema extends TSchema>(list: Schema) => same('text', list, list);

const dateTime = Type.String({ format: 'date-time' });

/** Stored in epoch milliseconds. */
export const instant: ValueType<number, typeof dateTime, typeof dateTime> = {
  ...{ sql: 'timestamptz', hashed: dateTime, shown: dateTime },
  ...{ hash: iso, show: iso, read: readInstant },
};

const thousandths = Type.Integer({ description: 'Thousandths of a point.' });
const points = Type.Number();

/** Points of a line, stored in thousandths. */
export const line: ValueType<number, typeof thousandths, typeof points> = {
  ...{ sql: 'int', hashed: thousandths, shown: points, scaled: true },
  ...{ hash: (e3) => e3, show: (e3) => e3 / 1000, read: (given) => Math.round(given * 1000) },
};

const tenThousandths = Type.Integer({ description: 'Ten-thousandths of a unit.' });
const units = Type.Number();

/** Units of a stake, stored in ten-thousandths. */
export const stake: ValueType<number, typeof tenThousandths, typeof units> = {
  ...{ sql: 'int', hashed: tenThousandths, shown: units, scaled: true },
  ...{ hash: (e4) => e4, show: unitsFromE4, read: unitsToE4 },
};

/** Returns the type extended by null, which is the same in all three forms. */
export function orNull<Stored, Hashed extends TSchema, Shown extends TSchema>(
  type: ValueType<Stored, Hashed, Shown>,
) {
  const through =
    <From, To>(convert: (value: From) => To) =>
    (value: From | null): To | null =>
      value === null ? null : convert(value);
  return {
    ...type,
    nullable: true as const,
    hashed: nullable(type.hashed),
    shown: nullable(type.shown),
    hash: through(type.hash),
    show: through(type.show),
    read: through(type.read),
  };
}
