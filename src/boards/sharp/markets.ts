import { marketSchema, sportSchema } from '../../ledger/schemas.ts';
import { Type } from '../../platform/type.ts';
import { activeGroups } from '../../projections/groups.ts';
import { board } from '../board.ts';
import { breakdown, consensusTags } from './groups.ts';

export const sharpMarkets = board({
  path: '/api/sharp/markets',
  group: 'sharp',
  about: 'Active consensus groups by sport and market.',
  params: Type.Object({}),
  tags: () => consensusTags(undefined),
  ahead: [{}],
  body: Type.Object({
    markets: Type.Array(
      Type.Object({
        sport: sportSchema,
        market: marketSchema,
        groupCount: Type.Integer(),
        capperCount: Type.Integer(),
      }),
    ),
  }),
  collection: 'markets',
  examples: [{}],
  async compute({ database, now }) {
    const parts = breakdown(await activeGroups(database, now), ({ sport, market }) => `${sport}\n${market}`);
    return {
      markets: parts.map(({ first: { sport, market }, groupCount, capperCount }) => ({
        sport,
        market,
        groupCount,
        capperCount,
      })),
    };
  },
});
