import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { board } from '../board.ts';
import { groupSchema, slateGroups } from '../groups.ts';
import { optionalSport } from '../params.ts';
import { sharpTodayRss } from './consensus-rss.ts';
import { consensusTags } from './consensus-tags.ts';

export const sharpToday = board({
  path: '/api/sharp/today',
  group: 'sharp',
  about: "Consensus on today's slate: pending sharp picks on games that start today, Eastern Time.",
  params: Type.Object({ sport: optionalSport }),
  lifetime: lifetimes.board,
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
