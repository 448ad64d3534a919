import type { Static, TSchema } from 'typebox';
import type { PostedPick } from '../proof/acknowledgement.ts';
import { canonical } from '../proof/canonical.ts';
import { bodyOf, columnName, insertOf, shownBy, shownSchemasOf, sourcesOf } from './field.ts';
import {
  type CopiedPick,
  type FieldName,
  type Fields,
  type PickField,
  pickFields,
  type StoredPick,
  signatureFields,
} from './pick.ts';

const fields = Object.entries(pickFields) as [FieldName, PickField][];

/** The source column of each field, in a query of `picks as p` joined with `cappers as c` and `games as g`. */
export const pickSources = sourcesOf(pickFields);

const isSignature = (name: FieldName) => (signatureFields as readonly FieldName[]).includes(name);

/** {@link pickSources} without the fields that boards do not copy. */
export const copiedSources = Object.fromEntries(
  Object.entries(pickSources).filter(([name]) => !isSignature(name as FieldName)),
) as Readonly<Record<keyof CopiedPick, string>>;

/** The fields of `picks` itself, without the number that the database gives. */
const inserted = Object.fromEntries(
  fields.filter(([name, { column }]) => column.startsWith('p.') && name !== 'id'),
);
export const pickInsert = insertOf(inserted);

export const copiedColumns: readonly string[] = Object.entries(inserted).flatMap(([name, field]) =>
  isSignature(name as FieldName) ? [] : [columnName(field)],
);

/** Without the link to its capper's previous pick. */
export const postedBody = bodyOf<StoredPick, PostedPick>(pickFields);

export const unsigned = {
  authorKey: null,
  authorNonce: null,
  authorAt: null,
  authorSignature: null,
  authorSubject: null,
} as const;

export function isUnsigned(pick: Pick<StoredPick, `author${string}` & FieldName>): boolean {
  return [pick.authorKey, pick.authorNonce, pick.authorAt, pick.authorSignature].every(
    (part) => part === null,
  );
}

type GivenName = {
  [Name in FieldName]: Fields[Name] extends { given: TSchema } ? Name : never;
}[FieldName];

const given = fields.flatMap(([name, { json, given: schema, type, column }]) =>
  json === undefined || schema === undefined
    ? []
    : [{ name: name as GivenName, json, schema, type, column: column.slice(2) }],
);

/** Schemas of the fields that clients and files can give, by JSON name. */
export const givenSchemas = Object.fromEntries(
  given.map(({ json, schema }) => [json, schema]),
) as unknown as {
  [Name in GivenName as Fields[Name]['json']]: Fields[Name]['given'];
};

/** A pick as a client or file gave it. `source` is optional, and only files give `postedAt`. */
export type GivenPick = Omit<Pick<StoredPick, GivenName>, 'source' | 'postedAt'> & {
  source: string | undefined;
  postedAt: number | undefined;
};

export function givenPick(row: Readonly<Record<string, unknown>>): GivenPick {
  return Object.fromEntries(
    given.map(({ name, json, type }) => {
      const value = row[json] ?? null;
      const isMissing = value === null && (name === 'source' || name === 'postedAt');
      return [name, isMissing ? undefined : type.read(value as never)];
    }),
  ) as unknown as GivenPick;
}

/** Equal for equal picks, without a null subject or day. The UUIDs of imported picks derive from this text, so it never changes. */
export function givenText(row: Readonly<Record<string, unknown>>): string {
  const pick = givenPick(row);
  return canonical(
    Object.fromEntries(
      given.flatMap(({ name, json, type, column }) => {
        const value = pick[name];
        if ((name === 'subject' || name === 'gameDay') && value === null) return [];
        return [[type.scaled ? column : json, value === undefined ? null : type.hash(value as never)]];
      }),
    ),
  );
}

type ShownName = {
  [Name in FieldName]: Fields[Name] extends { shown: true } ? Name : never;
}[FieldName];
type ShownSchemas = {
  [Name in ShownName as Fields[Name]['json']]: Fields[Name]['type']['shown'];
} & {
  [Name in FieldName as Fields[Name] extends { alsoShown: { json: infer Also extends string } }
    ? Also
    : never]: Fields[Name] extends { alsoShown: { schema: infer S extends TSchema } } ? S : never;
};

const shownFields = Object.fromEntries(
  fields.filter(([, { json, shown }]) => json !== undefined && shown === true),
);

export const shownSchemas = shownSchemasOf(shownFields) as unknown as ShownSchemas;

export type ShownPick = { [Name in keyof ShownSchemas]: Static<ShownSchemas[Name]> };

export const shownPick = shownBy<Pick<StoredPick, ShownName>, ShownPick>(shownFields);
