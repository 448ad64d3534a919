import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { optionalSport, optionalTier } from '../params.ts';
import { rosterRow, rosterRows } from './roster-rows.ts';

const pageLength = 100;

export const roster = board({
  path: '/api/cappers',
  group: 'sharp',
  about: 'All cappers with their tiers, by ID, 100 per page.',
  params: Type.Object({
    tier: optionalTier,
    sport: optionalSport,
    cursor: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The `nextCursor` of the previous page. 0: the first page.' }),
    ),
  }),
  tags: ({ sport }) =>
    sport === undefined ? [tags.posted, tags.settled, tags.world] : [tags.sport(sport), tags.world],
  ahead: [{}],
  body: Type.Object({
    cappers: Type.Array(rosterRow),
    nextCursor: nullable(Type.Integer({ description: 'Null on the last page.' })),
  }),
  collection: 'cappers',
  examples: [{}, { tier: 'elite', sport: 'nfl' }, { cursor: '1' }],
  async compute(context, { tier, sport, cursor }) {
    const rows = await rosterRows(context, {
      limit: pageLength + 1,
      ...(tier === undefined ? {} : { tier }),
      ...(sport === undefined ? {} : { sport }),
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    const cappers = rows.slice(0, pageLength);
    return { cappers, nextCursor: rows.length > pageLength ? (cappers.at(-1)?.id ?? null) : null };
  },
});
