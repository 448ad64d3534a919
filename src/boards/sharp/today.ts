import { Type } from '../../platform/type.ts';
import { slateGroups } from '../../projections/groups.ts';
import { board } from '../board.ts';
import { optionalSport } from '../params.ts';
import { sharpTodayRss } from './consensus-rss.ts';
import { consensusTags, groupSchema } from './groups.ts';

export const sharpToday = board({
  path: '/api/sharp/today',
  group: 'sharp',
  about: "Consensus on today's games (ET): pending picks by sharp cappers.",
  params: Type.Object({ sport: optionalSport }),
  tags: ({ sport }) => consensusTags(sport),
  ahead: [{}],
  body: Type.Object({ groups: Type.Array(groupSchema) }),
  collection: 'groups',
  formats: [sharpTodayRss],
  examples: [{}, { sport: '{sport}' }],
  async compute({ database, now }, { sport }) {
    return { groups: await slateGroups(database, now, sport) };
  },
});
