import { Type } from 'typebox';
import { markets } from '../rules/markets/index.ts';
import { results, sports, tiers } from '../rules/vocabulary.ts';

// A schema with a title is one of the named schemas of the API's description.

export const tierSchema = Type.Enum(tiers, { title: 'Tier' });

export const resultSchema = Type.Enum(results, { title: 'Result' });

/** Operators may add sports: the known ones are examples. */
export const sportSchema = Type.String({ title: 'Sport', examples: sports.map(({ key }) => key) });

/** A market outside the markets' table is settled by a result event: those of the table are examples. */
export const marketSchema = Type.String({ title: 'Market', examples: markets.map(({ name }) => name) });

/** Markets outside the table name their own sides. */
export const sideSchema = Type.String({
  title: 'Side',
  examples: [...new Set(markets.flatMap(({ contests }) => contests(3).flat()))],
});
