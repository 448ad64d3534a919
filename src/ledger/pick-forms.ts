import type { Static, TSchema } from 'typebox';
import { iso } from '../platform/clock.ts';
import type { PostedPick } from '../proof/acknowledgement.ts';
import type { Author } from '../proof/bodies.ts';
import { canonical } from '../proof/canonical.ts';
import {
  type CopiedPick,
  type Field,
  type FieldName,
  type Fields,
  type NewPick,
  pickFields,
  type StoredPick,
  signatureFields,
} from './pick.ts';

const fields = Object.entries(pickFields) as [FieldName, Field][];

/** The source column of each field, in a query of `picks as p` joined with `cappers as c` and `games as g`. */
export const pickSources = Object.fromEntries(fields.map(([name, { column }]) => [name, column])) as Readonly<
  Record<FieldName, string>
>;

const isSignature = (name: FieldName) => (signatureFields as readonly FieldName[]).includes(name);

/** {@link pickSources} without the fields that boards do not copy. */
export const copiedSources = Object.fromEntries(
  Object.entries(pickSources).filter(([name]) => !isSignature(name as FieldName)),
) as Readonly<Record<keyof CopiedPick, string>>;

const inserted = fields.flatMap(([name, { column, type }]) =>
  column.startsWith('p.') && name !== 'id'
    ? [{ name: name as keyof NewPick, column: column.slice(2), type }]
    : [],
);

/** Columns that an insert into `picks` fills, with their SQL types. */
export const insertedColumns: Readonly<Record<string, string>> = Object.fromEntries(
  inserted.map(({ column, type }) => [column, type.sql]),
);

/** The inserted columns that boards copy. */
export const copiedColumns: readonly string[] = inserted.flatMap(({ name, column }) =>
  isSignature(name) ? [] : [column],
);

/** Returns the values of {@link insertedColumns} for a pick. */
export function insertedRow(pick: NewPick): Record<string, string | number | null> {
  return Object.fromEntries(
    inserted.map(({ name, column, type }) => [
      column,
      type.hash(pick[name] as never) as string | number | null,
    ]),
  );
}

const hashed = fields.flatMap(([name, { hashed: key, type }]) =>
  key === undefined ? [] : [{ name, key, type }],
);

/** The hashed fields of a pick, as its body has them. */
export type HashedPick = {
  [Name in FieldName as Fields[Name] extends { hashed: infer Key extends string } ? Key : never]: Static<
    Fields[Name]['type']['hashed']
  >;
};

function hashedPick(pick: StoredPick): HashedPick {
  return Object.fromEntries(
    hashed.map(({ name, key, type }) => [key, type.hash(pick[name] as never)]),
  ) as HashedPick;
}

/** Returns the body of a stored pick, without the link to its capper's previous pick. */
export function postedBody(pick: StoredPick): PostedPick {
  return { v: 1, ...hashedPick(pick), author: authorOf(pick) };
}

/** The author fields of an unsigned pick. */
export const unsigned = {
  authorKey: null,
  authorNonce: null,
  authorAt: null,
  authorSignature: null,
} as const;

/** Reports whether all four author fields are null. */
export function isUnsigned(pick: Pick<StoredPick, `author${string}` & FieldName>): boolean {
  return [pick.authorKey, pick.authorNonce, pick.authorAt, pick.authorSignature].every(
    (part) => part === null,
  );
}

/**
 * Returns the `author` of a pick's body. A partly missing signature means that someone changed the row; placeholders then change the hash.
 */
function authorOf(pick: StoredPick): Author | null {
  if (isUnsigned(pick)) return null;
  const { authorKey, authorNonce, authorAt, authorSignature } = pick;
  return {
    key: authorKey ?? '0'.repeat(64),
    nonce: authorNonce ?? '-'.repeat(16),
    at: iso(authorAt ?? 0),
    signature: authorSignature ?? `${'A'.repeat(86)}==`,
  };
}

/** The schemas of {@link HashedPick}. */
export const hashedSchemas = Object.fromEntries(
  hashed.map(({ key, type }) => [key, type.hashed]),
) as Readonly<Record<keyof HashedPick, TSchema>>;

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

/**
 * Returns a canonical text of a given row, equal for equal picks; a null subject is left out. The UUIDs of imported picks are derived from
 * this text, so it never changes.
 */
export function givenText(row: Readonly<Record<string, unknown>>): string {
  const pick = givenPick(row);
  return canonical(
    Object.fromEntries(
      given.flatMap(({ name, json, type, column }) => {
        const value = pick[name];
        if (name === 'subject' && value === null) return [];
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

const shown = fields.flatMap(([name, { json, shown: isShown, about, alsoShown, type }]) => {
  if (json === undefined || isShown === undefined) return [];
  const schema = about === undefined ? type.shown : { ...type.shown, description: about };
  const own = { name, json, schema, show: type.show };
  return alsoShown === undefined ? [own] : [own, { name, ...alsoShown }];
});

/** The schemas of {@link ShownPick}. */
export const shownSchemas = Object.fromEntries(
  shown.map(({ json, schema }) => [json, schema]),
) as unknown as ShownSchemas;

/** A pick as the API, feeds, pages, and webhooks show it. */
export type ShownPick = { [Name in keyof ShownSchemas]: Static<ShownSchemas[Name]> };

export function shownPick(pick: Pick<StoredPick, ShownName>): ShownPick {
  return Object.fromEntries(
    shown.map(({ name, json, show }) => [json, show(pick[name as ShownName] as never)]),
  ) as ShownPick;
}
