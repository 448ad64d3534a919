import { Type } from 'typebox';
import { board } from '../board.ts';
import { activeGroups, breakdown } from '../groups.ts';
import { consensusTags } from './consensus-tags.ts';

export const sharpMarkets = board({
  path: '/api/sharp/markets',
  group: 'sharp',
  about: 'Active consensus groups by sport and market.',
  params: Type.Object({}),
  lifetime: 300,
  tags: () => consensusTags(undefined),
  ahead: [{}],
  body: Type.Object({
    markets: Type.Array(
      Type.Object({
        sport: Type.String(),
        market: Type.String(),
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
