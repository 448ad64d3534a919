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

/** Where fields are read from: `picks as p`, joined with `cappers as c` and `games as g`. */
export const pickSources = Object.fromEntries(fields.map(([name, { column }]) => [name, column])) as Readonly<
  Record<FieldName, string>
>;

const isSignature = (name: FieldName) => (signatureFields as readonly FieldName[]).includes(name);

/** {@link pickSources} of what boards show. */
export const copiedSources = Object.fromEntries(
  Object.entries(pickSources).filter(([name]) => !isSignature(name as FieldName)),
) as Readonly<Record<keyof CopiedPick, string>>;

const inserted = fields.flatMap(([name, { column, type }]) =>
  column.startsWith('p.') && name !== 'id'
    ? [{ name: name as keyof NewPick, column: column.slice(2), type }]
    : [],
);

/** The columns of `picks` that an insert fills, with their types. */
export const insertedColumns: Readonly<Record<string, string>> = Object.fromEntries(
  inserted.map(({ column, type }) => [column, type.sql]),
);

/** Those that boards have copies of. */
export const copiedColumns: readonly string[] = inserted.flatMap(({ name, column }) =>
  isSignature(name) ? [] : [column],
);

/** A pick as values of these columns. */
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

/** The part of a pick's body that says what was posted. */
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

/** The body of a stored pick, without its place in its capper's chain. */
export function postedBody(pick: StoredPick): PostedPick {
  return { v: 1, ...hashedPick(pick), author: authorOf(pick) };
}

/** The fields of {@link Author} of a pick that nobody signed. */
export const unsigned = {
  authorKey: null,
  authorNonce: null,
  authorAt: null,
  authorSignature: null,
} as const;

/** Whether nobody signed a pick. */
export function isUnsigned(pick: Pick<StoredPick, `author${string}` & FieldName>): boolean {
  return [pick.authorKey, pick.authorNonce, pick.authorAt, pick.authorSignature].every(
    (part) => part === null,
  );
}

/** Who signed a pick. A signature of which a part is missing is somebody's change, and must change the hash. */
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

/** The schemas of what clients and files give. */
export const givenSchemas = Object.fromEntries(
  given.map(({ json, schema }) => [json, schema]),
) as unknown as {
  [Name in GivenName as Fields[Name]['json']]: Fields[Name]['given'];
};

/** What a row of a client or file says. The source and, outside files, the instant may be missing. */
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
 * What a row says as one text, the same for the same pick. The uuids of imported picks are made of it: it never changes. It says nothing of a
 * subject where there is none.
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

/** What the API, feeds, pages and webhooks show of what was posted. */
export type ShownPick = { [Name in keyof ShownSchemas]: Static<ShownSchemas[Name]> };

export function shownPick(pick: Pick<StoredPick, ShownName>): ShownPick {
  return Object.fromEntries(
    shown.map(({ name, json, show }) => [json, show(pick[name as ShownName] as never)]),
  ) as ShownPick;
}
