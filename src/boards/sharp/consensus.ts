import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { board } from '../board.ts';
import { activeGroups, groupSchema } from '../groups.ts';
import { consensusRss } from './consensus-rss.ts';
import { consensusTags } from './consensus-tags.ts';

export const consensus = board({
  path: '/api/sharp/consensus',
  group: 'sharp',
  about: 'Sides on which two or more elite or verified-sharp cappers posted within the last 6 hours.',
  params: Type.Object({}),
  lifetime: lifetimes.board,
  tags: () => consensusTags(undefined),
  ahead: [{}],
  body: Type.Object({ groups: Type.Array(groupSchema) }),
  collection: 'groups',
  formats: [consensusRss],
  examples: [{}],
  async compute({ database, now }) {
    return { groups: await activeGroups(database, now) };
  },
});
