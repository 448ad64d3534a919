import { sportSchema } from '../../ledger/schemas.ts';
import { Type } from '../../platform/type.ts';
import { activeGroups } from '../../projections/groups.ts';
import { board } from '../board.ts';
import { breakdown, consensusTags } from './groups.ts';

export const sharpSports = board({
  path: '/api/sharp/sports',
  group: 'sharp',
  about: 'Active consensus groups by sport.',
  params: Type.Object({}),
  tags: () => consensusTags(undefined),
  ahead: [{}],
  body: Type.Object({
    sports: Type.Array(
      Type.Object({ sport: sportSchema, groupCount: Type.Integer(), capperCount: Type.Integer() }),
    ),
  }),
  collection: 'sports',
  examples: [{}],
  async compute({ database, now }) {
    const parts = breakdown(await activeGroups(database, now), ({ sport }) => sport);
    return {
      sports: parts.map(({ first: { sport }, groupCount, capperCount }) => ({
        sport,
        groupCount,
        capperCount,
      })),
    };
  },
});
