import type { Static } from 'typebox';
import { plainText } from '../../platform/fields.ts';
import { checker } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';

const name = plainText(1, 95);
const status = Type.Object({
  period: Type.Optional(Type.Number()),
  clock: Type.Optional(Type.Unknown()),
  type: Type.Object({
    name: Type.String({ maxLength: 60 }),
    state: Type.String({ maxLength: 20 }),
    completed: Type.Boolean(),
    detail: Type.Optional(Type.String({ maxLength: 200 })),
    description: Type.Optional(Type.String({ maxLength: 200 })),
  }),
});
const competitor = Type.Object({
  homeAway: Type.Optional(Type.String()),
  order: Type.Optional(Type.Number()),
  winner: Type.Optional(Type.Boolean()),
  score: Type.Optional(Type.String({ maxLength: 10 })),
  team: Type.Optional(Type.Object({ id: Type.Optional(Type.String({ maxLength: 20 })), displayName: name })),
  athlete: Type.Optional(Type.Object({ displayName: name })),
  linescores: Type.Optional(
    Type.Array(
      Type.Object({
        value: Type.Optional(Type.Number()),
        displayValue: Type.Optional(Type.String({ maxLength: 10 })),
      }),
      { maxItems: 60 },
    ),
  ),
});
export type Competitor = Static<typeof competitor>;
const competition = Type.Object({
  id: Type.String({ pattern: '^[0-9]{1,20}$' }),
  date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?Z$', maxLength: 30 }),
  // False while the start is unannounced.
  timeValid: Type.Optional(Type.Boolean()),
  status,
  competitors: Type.Array(competitor, { minItems: 2, maxItems: 2 }),
  // Optional and read leniently.
  format: Type.Optional(Type.Unknown()),
  details: Type.Optional(Type.Unknown()),
});
export type Competition = Static<typeof competition>;
export const checkCompetition = checker(competition);

/** Returns the clock in seconds: remaining in the period, or in soccer, elapsed since kickoff. */
export function clockOf({ status: { clock } }: Competition): number | undefined {
  return typeof clock === 'number' && clock >= 0 ? clock : undefined;
}

const checkFormat = checker(
  Type.Object({ regulation: Type.Object({ periods: Type.Integer({ minimum: 1, maximum: 20 }) }) }),
);

/** Returns the scheduled number of periods, if the answer has it. */
export function scheduledPeriods({ format }: Competition): number | undefined {
  const checked = checkFormat(format);
  return checked.ok ? checked.value.regulation.periods : undefined;
}

const checkDetail = checker(
  Type.Object({
    type: Type.Object({ text: Type.String({ maxLength: 200 }) }),
    clock: Type.Optional(Type.Object({ displayValue: Type.String({ maxLength: 20 }) })),
    team: Type.Optional(Type.Object({ id: Type.String({ maxLength: 20 }) })),
    scoreValue: Type.Optional(Type.Number()),
    scoringPlay: Type.Optional(Type.Boolean()),
    ownGoal: Type.Optional(Type.Boolean()),
    shootout: Type.Optional(Type.Boolean()),
  }),
);

/** Returns the readable goals and cards of a match, or details of how a bout ended. */
export function detailsOf({ details }: Competition) {
  if (!Array.isArray(details)) return [];
  return details.flatMap((detail) => {
    const checked = checkDetail(detail);
    return checked.ok ? [checked.value] : [];
  });
}
