import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { board } from '../board.ts';
import { recentGroups, resolvedGroupSchema } from '../groups.ts';
import { count, optionalSport } from '../params.ts';
import { tags } from '../tags.ts';

export const sharpRecent = board({
  path: '/api/sharp/recent',
  group: 'sharp',
  about: 'Consensus groups whose picks have all settled, the latest resolved first.',
  params: Type.Object({ hours: count(24, 168, 'Hours back from now.'), sport: optionalSport }),
  lifetime: lifetimes.board,
  tags: ({ sport }) => [sport === undefined ? tags.settled : tags.sport(sport), tags.world],
  ahead: [{}],
  body: Type.Object({ groups: Type.Array(resolvedGroupSchema) }),
  collection: 'groups',
  examples: [{}, { hours: '168', sport: '{sport}' }],
  async compute({ database, now }, { hours, sport }) {
    return { groups: await recentGroups(database, now, hours, sport) };
  },
});
