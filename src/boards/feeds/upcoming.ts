import { Type } from '../../platform/type.ts';
import { upcomingPicks } from '../../projections/slate.ts';
import { eventsOf } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { count, optionalSport } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';

export const upcomingFeed = board({
  path: '/api/feed/upcoming',
  group: 'feeds',
  about: 'Pending picks on games that start in the next hours, soonest first.',
  params: Type.Object({ hours: count(4, 24, 'How many hours ahead.'), sport: optionalSport }),
  tags: ({ sport }) => eventsOf(sport),
  ahead: [{}],
  body: Type.Object({ picks: Type.Array(pickSchema) }),
  collection: 'picks',
  examples: [{}, { hours: '24', sport: '{sport}' }],
  async compute({ database, now, baseUrl }, { hours, sport }) {
    const rows = await upcomingPicks(database, now, now + hours * 3_600_000, sport);
    return { picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});
