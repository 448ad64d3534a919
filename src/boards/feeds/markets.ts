import { marketSchema, sportSchema } from '../../ledger/schemas.ts';
import { iso } from '../../platform/clock.ts';
import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { addDays, etDay } from '../../rules/et-day.ts';
import { board } from '../board.ts';
import { count } from '../params.ts';

export const marketsBoard = board({
  path: '/api/markets',
  group: 'feeds',
  about: 'Sports and markets with recent picks, by name.',
  params: Type.Object({ days: count(30, 90, 'Number of ET days, including today.') }),
  tags: () => [tags.posted],
  ahead: [{}],
  body: Type.Object({
    markets: Type.Array(
      Type.Object({
        sport: sportSchema,
        market: marketSchema,
        picks: Type.Integer({ description: 'Picks posted in these days.' }),
        lastPostedAt: Type.String({ format: 'date-time' }),
      }),
    ),
  }),
  collection: 'markets',
  examples: [{}, { days: '7' }],
  async compute({ database, now }, { days }) {
    const rows: { sport: string; market: string; picks: number; lastPostedAt: number }[] = await database(
      'daily_rollups',
    )
      .where('day', '>=', addDays(etDay(now), 1 - days))
      .where('posted', '>', 0)
      .groupBy('sport', 'market')
      .orderByRaw('sport collate "C", market collate "C"')
      .select({
        sport: 'sport',
        market: 'market',
        picks: database.raw('sum(posted)::bigint'),
        lastPostedAt: database.raw('max(last_posted_at)'),
      });
    return { markets: rows.map((row) => ({ ...row, lastPostedAt: iso(row.lastPostedAt) })) };
  },
});
