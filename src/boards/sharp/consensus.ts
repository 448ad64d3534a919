import { Type } from '../../platform/type.ts';
import { activeGroups } from '../../projections/groups.ts';
import { board } from '../board.ts';
import { consensusRss } from './consensus-rss.ts';
import { consensusTags, groupSchema } from './groups.ts';

export const consensus = board({
  path: '/api/sharp/consensus',
  group: 'sharp',
  about: 'Sides that two or more elite or verified sharp cappers took in the last 6 hours.',
  params: Type.Object({}),
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
