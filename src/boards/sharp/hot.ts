import { tierSchema, verifiedSchema } from '../../ledger/schemas.ts';
import { Type } from '../../platform/type.ts';
import { activeGroups } from '../../projections/groups.ts';
import { board } from '../board.ts';
import { hotStreaks, minHotStreak } from '../cappers/hot-streaks.ts';
import { consensusTags, groupSchema } from './groups.ts';

export const sharpHot = board({
  path: '/api/sharp/hot',
  group: 'sharp',
  about: 'Cappers on a hot streak who are in an active consensus group.',
  params: Type.Object({}),
  tags: () => consensusTags(undefined),
  ahead: [{}],
  body: Type.Object({
    cappers: Type.Array(
      Type.Object({
        handle: Type.String(),
        tier: { ...tierSchema, description: 'Current tier.' },
        verified: verifiedSchema,
        streak: Type.Integer({ description: 'Consecutive wins.' }),
        groups: Type.Array(groupSchema),
      }),
    ),
  }),
  collection: 'cappers',
  examples: [{}],
  async compute(context) {
    const { database, now } = context;
    const [groups, streaks] = await Promise.all([
      activeGroups(database, now),
      hotStreaks(context, { min: minHotStreak }),
    ]);
    const cappers = streaks
      .map(({ handle, tier, verified, length }) => ({
        handle,
        tier,
        verified,
        streak: length,
        groups: groups.filter(({ cappers: members }) => members.some((member) => member.handle === handle)),
      }))
      .filter((capper) => capper.groups.length > 0)
      .sort((a, b) => b.streak - a.streak || (a.handle < b.handle ? -1 : 1));
    return { cappers };
  },
});
