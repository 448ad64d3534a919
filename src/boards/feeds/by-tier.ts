import { lifetimes } from '../../cache/lifetimes.ts';
import { Type } from '../../platform/type.ts';
import { type BoardPick, boardPicks, feedPicks, newestFirst } from '../../projections/board-picks.ts';
import { eventsOf } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { count, optionalSport, provenance, tier } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';

export const tierFeed = board({
  path: '/api/feed/by-tier',
  group: 'feeds',
  about: 'Picks by cappers of one tier (when posted), newest first.',
  params: Type.Object({
    tier,
    sport: optionalSport,
    provenance,
    limit: count(50, 200, 'Maximum number of picks.'),
  }),
  lifetime: lifetimes.stream,
  tags: ({ sport }) => eventsOf(sport),
  body: Type.Object({ picks: Type.Array(pickSchema) }),
  collection: 'picks',
  examples: [
    { tier: 'elite' },
    { tier: 'elite', provenance: 'imported' },
    { tier: 'listed', sport: '{sport}', limit: '5' },
  ],
  async compute({ database, baseUrl }, params) {
    const first = feedPicks(database, 'posted', params, params.limit);
    const rows: BoardPick[] = await boardPicks(database, first).orderBy(newestFirst);
    return { picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});
