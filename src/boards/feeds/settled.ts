import { lifetimes } from '../../cache/lifetimes.ts';
import { Type } from '../../platform/type.ts';
import { type BoardPick, boardPicks, feedPicks, newestFirst } from '../../projections/board-picks.ts';
import { eventsOf, tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { count, optionalSport, provenance } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';

export const settledFeed = board({
  path: '/api/feed/settled',
  group: 'feeds',
  about: 'Recently settled picks, newest first.',
  params: Type.Object({
    sport: optionalSport,
    provenance,
    limit: count(100, 200, 'Maximum number of picks.'),
  }),
  lifetime: lifetimes.stream,
  tags: ({ sport }) => (sport === undefined ? [tags.settled, tags.world] : eventsOf(sport)),
  ahead: [{}],
  body: Type.Object({ picks: Type.Array(pickSchema) }),
  collection: 'picks',
  examples: [{}, { provenance: 'live' }, { sport: 'nfl', limit: '5' }],
  async compute({ database, baseUrl }, { sport, provenance, limit }) {
    const first = feedPicks(database, 'settled', { sport, provenance }, limit);
    const rows: BoardPick[] = await boardPicks(database, first).orderBy([
      { column: 'p.settled_at', order: 'desc' },
      ...newestFirst,
    ]);
    return { picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});
