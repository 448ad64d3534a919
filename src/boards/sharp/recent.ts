import { Type } from 'typebox';
import { recentGroups } from '../../projections/groups.ts';
import { tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { count, optionalSport } from '../params.ts';
import { resolvedGroupSchema } from './groups.ts';

export const sharpRecent = board({
  path: '/api/sharp/recent',
  group: 'sharp',
  about: 'Consensus groups whose picks have all settled, the latest resolved first.',
  params: Type.Object({ hours: count(24, 168, 'Hours back from now.'), sport: optionalSport }),
  tags: ({ sport }) => [sport === undefined ? tags.settled : tags.sport(sport), tags.world],
  ahead: [{}],
  body: Type.Object({ groups: Type.Array(resolvedGroupSchema) }),
  collection: 'groups',
  examples: [{}, { hours: '168', sport: '{sport}' }],
  async compute({ database, now }, { hours, sport }) {
    return { groups: await recentGroups(database, now, hours, sport) };
  },
});
