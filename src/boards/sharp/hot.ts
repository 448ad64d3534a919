import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { board } from '../board.ts';
import { hotStreaks } from '../cappers/hot-streaks.ts';
import { tierSchema } from '../fields.ts';
import { activeGroups, groupSchema } from '../groups.ts';
import { consensusTags } from './consensus-tags.ts';

/** How long a winning streak must be to be hot: the default of the streaks' board. */
const hot = 3;

export const sharpHot = board({
  path: '/api/sharp/hot',
  group: 'sharp',
  about: 'Cappers on a hot streak who are in an active consensus group.',
  params: Type.Object({}),
  lifetime: lifetimes.board,
  tags: () => consensusTags(undefined),
  ahead: [{}],
  body: Type.Object({
    cappers: Type.Array(
      Type.Object({
        handle: Type.String(),
        tier: { ...tierSchema, description: 'The tier today.' },
        streak: Type.Integer({ description: 'Wins in a row.' }),
        groups: Type.Array(groupSchema),
      }),
    ),
  }),
  collection: 'cappers',
  examples: [{}],
  async compute({ database, now }) {
    const [groups, streaks] = await Promise.all([
      activeGroups(database, now),
      hotStreaks(database, { now, min: hot }),
    ]);
    const cappers = streaks
      .map(({ handle, tier, length }) => ({
        handle,
        tier,
        streak: length,
        groups: groups.filter(({ cappers: members }) => members.some((member) => member.handle === handle)),
      }))
      .filter(({ groups: his }) => his.length > 0)
      .sort((a, b) => b.streak - a.streak || (a.handle < b.handle ? -1 : 1));
    return { cappers };
  },
});
