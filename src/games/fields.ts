import { instant, orNull, plainText, slug } from '../platform/fields.ts';
import { Type } from '../platform/type.ts';

/** The fields that identify a game: sport, name, and first announced start, or the ET day if only that was announced. */
export const gameFields = {
  sport: slug,
  game: plainText(3, 200),
  startsAt: orNull(instant),
  day: orNull(Type.String({ format: 'date', must: 'a date such as 2026-11-27' })),
};

export const score = Type.Integer({ minimum: 0, maximum: 9999, must: 'a whole number from 0 to 9999' });

/** Games won by each side, per set: `[[home, away], ...]`. */
export const setsField = Type.Array(
  Type.Array(Type.Integer({ minimum: 0, maximum: 99 }), { minItems: 2, maxItems: 2 }),
  {
    minItems: 1,
    maxItems: 7,
    must: 'one to seven sets, each [home, away] with the games that each side won',
  },
);

/** Number of periods played: innings, quarters, halves, or sets. */
export const periods = Type.Number({
  minimum: 0,
  maximum: 99,
  multipleOf: 0.001,
  must: 'the number of periods played, such as 8.5 innings or 3.75 quarters',
});

/** The player, team, or question that a market is about. */
export const subject = orNull(plainText(1, 80));

/** A line, including quarter lines. */
export const lineField = orNull(
  Type.Number({ multipleOf: 0.25, minimum: -9999, maximum: 9999, must: 'a number in steps of 0.25' }),
);

export const americanOdds = Type.Union(
  [Type.Integer({ minimum: 100, maximum: 100_000 }), Type.Integer({ minimum: -100_000, maximum: -100 })],
  { must: 'American odds: a whole number from 100 to 100000, or from -100000 to -100' },
);
