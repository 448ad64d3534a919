import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { count, optionalSport, tier } from '../params.ts';
import { rosterRow, rosterRows } from './roster-rows.ts';

export const cappersByTier = board({
  path: '/api/cappers/by-tier/:tier',
  group: 'sharp',
  about: 'Cappers of one tier, by ID.',
  params: Type.Object({ tier, sport: optionalSport, limit: count(100, 500, 'Maximum number of cappers.') }),
  tags: ({ sport }) =>
    sport === undefined ? [tags.posted, tags.settled, tags.world] : [tags.sport(sport), tags.world],
  body: Type.Object({ cappers: Type.Array(rosterRow) }),
  collection: 'cappers',
  examples: [{ tier: 'elite' }, { tier: 'listed', sport: 'nfl', limit: '5' }],
  async compute(context, { sport, ...params }) {
    return { cappers: await rosterRows(context, { ...params, ...(sport === undefined ? {} : { sport }) }) };
  },
});
