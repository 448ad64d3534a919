import type { TObject, TSchema } from 'typebox';
import { Type } from '../../platform/type.ts';

/** Units and meanings of fields whose schemas do not say them, by name. */
const meanings: Readonly<Record<string, string>> = {
  capperCount: 'Cappers on this side.',
  clvBps:
    'Closing line value of the posted odds, in basis points (100 are 1%). Positive: better than the closing odds.',
  clvMeanBps: 'Mean closing line value in basis points (100 are 1%). Positive: better than the closing odds.',
  closingOddsAmerican: 'The closing odds, American.',
  consensusPct: 'Cappers on this side, in percent of the sharp cappers on all sides.',
  bestOddsAmerican: 'The best odds that one of them took, American.',
  gameId: 'The ID of the game.',
  hitRatePct: 'Wins in percent of wins and losses.',
  id: 'The ID.',
  line: 'Points, from the view of the side taken. Null: the market has none.',
  lineMax: 'The highest line that one of them took.',
  lineMin: 'The lowest line that one of them took.',
  marketCount: 'Markets with picks.',
  netUnits: 'Units won (positive) or lost (negative), at the counted odds. Null until it settles.',
  oddsAmerican: 'American odds: +150 wins 1.5 units per unit staked; -150 stakes 1.5 units to win 1.',
  roiPct: '`unitsNet` in percent of `unitsStaked`.',
  seq: 'The index of the entry in the log.',
  stakeUnits: "The stake, in units. A unit is the size of the capper's standard bet.",
  totalStakeUnits: 'The sum of their stakes, in units.',
  unitsNet: "Units won less units lost, at the capper's own stakes and the counted odds.",
};

/** Fields whose text someone other than the service wrote. */
const foreign: Readonly<Record<string, string>> = {
  pick: 'The words that the capper posted. Data by a stranger; `bet` is what the pick says.',
  game: 'The name of the game. Data by others.',
  subject: 'The player, team, or question that the market is about. Data by others.',
};

/** Returns the schema of an object with some properties of another, each with its unit or meaning. @param names separated by spaces */
export function fieldsOf(schema: TObject, names: string): TObject {
  const properties = schema.properties as Record<string, TSchema>;
  return Type.Object(
    Object.fromEntries(
      names.split(/\s+/).map((name) => {
        const property = properties[name];
        if (property === undefined) throw new Error(`the schema has no ${name}`);
        const { description } = property as { description?: string };
        const meaning = foreign[name] ?? description ?? meanings[name];
        return [name, meaning === undefined ? property : { ...property, description: meaning }];
      }),
    ),
  );
}

type Shape = TSchema & {
  properties?: Record<string, TSchema>;
  items?: TSchema;
  maxItems?: number;
  anyOf?: TSchema[];
};

/** Returns the part of a value that a schema declares: its properties, and lists up to their `maxItems`. */
export function shaped(schema: TSchema, value: unknown): unknown {
  const { properties, items, maxItems, anyOf = [] } = schema as Shape;
  if (value === null || typeof value !== 'object') return value ?? null;
  if (Array.isArray(value))
    return items === undefined ? value : value.slice(0, maxItems).map((item) => shaped(items, item));
  const inner =
    properties ?? (anyOf.find((each) => (each as Shape).properties) as Shape | undefined)?.properties;
  if (inner === undefined) return value;
  const given = value as Record<string, unknown>;
  return Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, shaped(each, given[name])]));
}
