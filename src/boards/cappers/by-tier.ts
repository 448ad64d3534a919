import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { board } from '../board.ts';
import { count, optionalSport, tier } from '../params.ts';
import { tags } from '../tags.ts';
import { rosterRow, rosterRows } from './roster-rows.ts';

export const cappersByTier = board({
  path: '/api/cappers/by-tier/:tier',
  group: 'sharp',
  about: 'The cappers of one tier, by id.',
  params: Type.Object({ tier, sport: optionalSport, limit: count(100, 500, 'Most cappers in the answer.') }),
  lifetime: lifetimes.board,
  tags: ({ sport }) => [sport === undefined ? tags.posted : tags.sport(sport), tags.world],
  body: Type.Object({ cappers: Type.Array(rosterRow) }),
  collection: 'cappers',
  examples: [{ tier: 'elite' }, { tier: 'listed', sport: 'nfl', limit: '5' }],
  async compute({ database }, { sport, ...params }) {
    return { cappers: await rosterRows(database, { ...params, ...(sport === undefined ? {} : { sport }) }) };
  },
});
