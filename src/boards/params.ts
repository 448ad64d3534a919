import type { TEnum } from 'typebox';
import { Field } from '../platform/field-schemas.ts';
import { slug } from '../platform/fields.ts';
import { Type } from '../platform/type.ts';
import { patterns, tiers, windows } from '../rules/vocabulary.ts';

/**
 * Parameters shared by boards. A number above its `maximum` becomes the maximum; one outside any other bound is an error. A `sport` is
 * checked against the table of sports; a `handle` ignores case.
 */
export const sport = { ...slug, must: 'a sport key', description: 'A sport key, such as `nfl`.' };
export const optionalSport = Type.Optional(sport);

export const market = {
  ...slug,
  must: 'a market, such as `spread`',
  description: 'A market, such as `spread`. Other names of a declared market also work.',
};
export const optionalMarket = Type.Optional(market);

export const handle = Type.String({
  pattern: patterns.handle,
  must: 'a handle: 2 to 32 letters, digits, hyphens, or underscores',
  description: "A capper's handle. Case does not matter.",
});

/** A filter by capper. The name `capper` means the same. */
export const optionalCapper = Type.Optional({ ...handle, description: 'Only picks by this capper.' });

export const optionalTeam = Type.Optional(
  Type.String({
    minLength: 2,
    maxLength: 100,
    description: 'Only picks on games of this team, by any of its names. Case does not matter.',
  }),
);

export const optionalPlayer = Type.Optional(
  Type.String({
    minLength: 2,
    maxLength: 100,
    description: 'Only picks on this player, by any spelling of the name.',
  }),
);

export const entityPath = Field.text("The path of its page, with the name's usual form.");

/** Declares the name of a player or team in a path: any of its names, or that of its page's address. */
export function entityName(kind: 'player' | 'team') {
  return Type.String({
    minLength: 2,
    maxLength: 100,
    must: `the name of a ${kind}`,
    description: `The name of a ${kind}, in any usual spelling, such as \`${kind === 'player' ? 'rory-finch' : 'foxes'}\`.`,
  });
}

export const uuid = Type.String({
  pattern: patterns.uuid,
  must: 'the UUID of a pick',
  description: 'The UUID of a pick.',
});

/** Case does not matter. */
export function oneOf<const Values extends readonly string[]>(
  values: Values,
  description: string,
  options: { default?: Values[number] } = {},
): TEnum<[...Values]> {
  const must = `one of ${values.join(', ')}`;
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    { ...options, must, description },
  ) as unknown as TEnum<[...Values]>;
}

export const tier = oneOf(tiers, 'A tier: `elite`, `verified_sharp`, or `listed`.');
export const optionalTier = Type.Optional(tier);

const provenances = ['live', 'imported', 'all'] as const;
const ofProvenance = 'Picks posted here, imported from files, or both.';

export const provenance = oneOf(provenances, ofProvenance, { default: 'all' });

/** For pages: see `shownProvenance`. */
export const optionalProvenance = Type.Optional(oneOf(provenances, ofProvenance));

export const window = oneOf(
  windows,
  'Picks settled in the last `7d`, `30d`, or `90d` (ET days, including today), or `all`.',
  { default: 'all' },
);

export const optionalDelay = Type.Optional(
  oneOf(
    ['5', '15', '60'],
    'Minutes: count live picks at the best odds on offer `5`, `15`, or `60` minutes after posting, instead of all picks at their own odds.',
  ),
);

/** Cursor in a list of picks, newest first: posting time and UUID of the last one. See {@link parsePickCursor}. */
export const pickCursor = Type.Optional(
  Type.String({
    pattern: '^[0-9]{1,15}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    must: 'the `nextCursor` of the previous page',
    description: 'The `nextCursor` of the previous page.',
  }),
);

export function parsePickCursor(cursor: string): { postedAt: Date; uuid: string } {
  const at = cursor.indexOf('-');
  return { postedAt: new Date(Number(cursor.slice(0, at))), uuid: cursor.slice(at + 1) };
}

export function pickCursorAfter({ postedAt, uuid }: { postedAt: number; uuid: string }): string {
  return `${postedAt}-${uuid}`;
}

/** Declares a minimum with a default; 0 is no minimum. It has no maximum, because lowering a minimum would add rows. */
export function floor(fallback: number, description: string) {
  return Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: fallback, description });
}

/** Declares a limit with a default and a maximum; at least 1. */
export function count(fallback: number, maximum: number, description: string) {
  return Type.Integer({ minimum: 1, maximum, default: fallback, description });
}

export const lastDays = {
  handle,
  sport: optionalSport,
  market: optionalMarket,
  days: count(30, 90, 'Number of days, including today.'),
  provenance,
};
