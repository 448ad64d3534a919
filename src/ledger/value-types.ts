import type { Static, TSchema } from 'typebox';
import { iso, instant as readInstant } from '../platform/clock.ts';
import { nullable } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { shownUnits, unitsFromE4, unitsToE4 } from '../rules/fixed-point.ts';

/**
 * A type with three forms of each value: *stored* in tables and programs, *hashed* in bodies and bound to SQL statements, *shown* to
 * clients and read from them.
 */
export interface ValueType<Stored, Shown extends TSchema> {
  sql: 'bigint' | 'boolean' | 'date' | 'int' | 'jsonb' | 'text' | 'timestamptz' | 'uuid';
  shown: Shown;
  hash(stored: Stored): unknown;
  show(stored: Stored): Static<Shown>;
  read(shown: Static<Shown>): Stored;
  /** Set if the stored unit is smaller than the shown one. */
  scaled?: true;
  nullable?: true;
}

export interface AnyType extends Pick<ValueType<never, TSchema>, 'sql' | 'shown' | 'scaled' | 'nullable'> {
  hash(stored: never): unknown;
  show(stored: never): unknown;
  read(shown: never): unknown;
}

function same<Shown extends TSchema>(sql: AnyType['sql'], shown: Shown): ValueType<Static<Shown>, Shown> {
  const keep = (value: unknown) => value as never;
  return { sql, shown, hash: keep, show: keep, read: keep };
}

export const text = same('text', Type.String());
export const lowerCase = { ...text, read: (given: string) => given.toLowerCase() };
export const price = same('int', Type.Integer());
export const integer = same('int', Type.Integer());
export const flag = same('boolean', Type.Boolean());
export const id = same('bigint', Type.Integer());
export const uuid = same('uuid', Type.String({ format: 'uuid' }));
export const day = same('date', Type.String({ format: 'date' }));

/** A text that the API describes with its own schema, such as a list of words. */
export const word = <Shown extends TSchema>(shown: Shown) => same('text', shown);
export const json = <Shown extends TSchema>(shown: Shown) => same('jsonb', shown);

const dateTime = Type.String({ format: 'date-time' });

/** Stored in epoch milliseconds. */
export const instant: ValueType<number, typeof dateTime> = {
  sql: 'timestamptz',
  shown: dateTime,
  hash: iso,
  show: iso,
  read: readInstant,
};

const points = Type.Number();

/** Points in thousandths. */
export const line: ValueType<number, typeof points> = {
  sql: 'int',
  shown: points,
  scaled: true,
  hash: (e3) => e3,
  show: (e3) => e3 / 1000,
  read: (given) => Math.round(given * 1000),
};

const units = Type.Number();

/** Units in ten-thousandths. */
export const stake: ValueType<number, typeof units> = {
  sql: 'int',
  shown: units,
  scaled: true,
  hash: (e4) => e4,
  show: unitsFromE4,
  read: unitsToE4,
};

/** Units in ten-thousandths, shown rounded. */
export const netUnits = { ...stake, sql: 'bigint' as const, show: shownUnits };

export function orNull<Stored, Shown extends TSchema>(type: ValueType<Stored, Shown>) {
  const through =
    <From, To>(convert: (value: From) => To) =>
    (value: From | null): To | null =>
      value === null ? null : convert(value);
  return {
    ...type,
    nullable: true as const,
    shown: nullable(type.shown),
    hash: through(type.hash),
    show: through(type.show),
    read: through(type.read),
  };
}
