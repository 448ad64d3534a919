import type { TSchema } from 'typebox';
import { Type } from './type.ts';

/** Fields of rows from outside. A schema checks each value; constraints between rows are checked where rows are applied. */
export const instant = Type.String({ format: 'date-time', must: 'an instant such as 2026-01-10T17:05:00Z' });

export const slug = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  must: 'a slug of 1 to 40 lowercase letters, digits, hyphens, or underscores',
});

export const slugOrNull = orNull(slug);

/**
 * Declares text for people. It is normalized to NFC, so that texts that look the same are equal. Lone surrogates are refused because they
 * can be neither hashed nor stored. Control characters are refused too. Bidirectional ones (U+202A to U+202E, U+2066 to U+2069) could
 * display a text in another order than the hashed one.
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

export function orNull<S extends TSchema>(schema: S) {
  return Type.Optional(
    Type.Union([schema, Type.Null()], 'must' in schema ? { must: `${String(schema.must)}, or null` } : {}),
  );
}
