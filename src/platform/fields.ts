import type { TSchema } from 'typebox';
import { Type } from './type.ts';

/**
 * The fields of rows from outside. A schema constrains a value by itself; constraints between rows are checked where rows are applied.
 */
export const instant = Type.String({ format: 'date-time', must: 'an instant such as 2026-01-10T17:05:00Z' });

export const slug = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  must: 'a slug of 1 to 40 lower-case letters, digits, hyphens or underscores',
});

export const slugOrNull = orNull(slug);

/**
 * Text for people, in NFC, so that texts that look the same are the same. Lone surrogates, which can be neither hashed nor stored, are
 * refused; so are control characters, those of bidirectional text (U+202A to U+202E, U+2066 to U+2069) included: they can show a text in
 * an order that differs from what is hashed.
 */
export function plainText(shortest: number, longest: number) {
  return Type.String({
    normalForm: 'NFC',
    minLength: shortest,
    maxLength: longest,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]*$',
    must: `${shortest} to ${longest} characters, none of them a control character`,
  });
}

/** A field that may be absent or null. */
export function orNull<S extends TSchema>(schema: S) {
  return Type.Optional(
    Type.Union([schema, Type.Null()], 'must' in schema ? { must: `${String(schema.must)}, or null` } : {}),
  );
}

/** The player, team, or question that a market is about. */
export const subject = orNull(plainText(1, 80));

export const americanOdds = Type.Union(
  [Type.Integer({ minimum: 100, maximum: 100_000 }), Type.Integer({ minimum: -100_000, maximum: -100 })],
  { must: 'American odds: a whole number from 100 to 100000, or from -100000 to -100' },
);

export const handle = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{1,31}$',
  must: 'a handle: 2 to 32 letters, digits, hyphens or underscores',
});

export const score = Type.Integer({ minimum: 0, maximum: 9999, must: 'a whole number from 0 to 9999' });

/** A line of a price: quarter lines are allowed. */
export const priceLine = orNull(
  Type.Number({ multipleOf: 0.25, minimum: -9999, maximum: 9999, must: 'a number in steps of 0.25' }),
);

/** A line of a pick: no quarter lines. */
export const pickLine = orNull(
  Type.Number({
    multipleOf: 0.5,
    minimum: -9999,
    maximum: 9999,
    must: 'a number in steps of 0.5 (a quarter line can win or lose by half, which has no result in this ledger)',
  }),
);

export const stakeUnits = Type.Number({
  minimum: 0.01,
  maximum: 100,
  multipleOf: 0.01,
  must: 'over 0 up to 100 units in steps of 0.01',
});

/** The three fields that identify a game: sport, name and first announced start. */
export const gameFields = { sport: slug, game: plainText(3, 200), startsAt: orNull(instant) };
