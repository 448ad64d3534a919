import type { TBoolean, TInteger, TNumber, TSchema, TString } from 'typebox';
import { nullable } from './schema.ts';
import { Type } from './type.ts';

/** Returns a function that makes schemas of one kind, each with the description that the API reference shows. */
const described =
  <S extends TSchema>(schema: S) =>
  (about?: string): S =>
    about === undefined ? schema : { ...schema, description: about };

const orNull =
  <S extends TSchema>(schema: S) =>
  (about?: string) =>
    nullable(described(schema)(about));

const integer = Type.Integer() as TInteger;
const number = Type.Number() as TNumber;
const text = Type.String() as TString;
const flag = Type.Boolean() as TBoolean;
const instant = Type.String({ format: 'date-time' }) as TString;
const day = Type.String({ format: 'date' }) as TString;
const uuid = Type.String({ format: 'uuid' }) as TString;
const uri = Type.String({ format: 'uri' }) as TString;

/** Schemas of the fields of answers, by kind: `Field.integer('Settled picks.')`, or `Field.orNull.integer('...')`. */
export const Field = {
  integer: described(integer),
  number: described(number),
  text: described(text),
  flag: described(flag),
  instant: described(instant),
  day: described(day),
  uuid: described(uuid),
  uri: described(uri),
  orNull: {
    integer: orNull(integer),
    number: orNull(number),
    text: orNull(text),
    instant: orNull(instant),
    day: orNull(day),
    uuid: orNull(uuid),
  },
};
