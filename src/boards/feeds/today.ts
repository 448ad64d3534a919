import { Type } from '../../platform/type.ts';
import { slatePicks } from '../../projections/slate.ts';
import { eventsOf } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { board } from '../board.ts';
import { optionalSport } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { todayIcs } from './today-ics.ts';

export const todayFeed = board({
  path: '/api/feed/today',
  group: 'feeds',
  about: "All picks on today's games (ET), by start time.",
  params: Type.Object({ sport: optionalSport }),
  tags: ({ sport }) => eventsOf(sport),
  ahead: [{}],
  body: Type.Object({ day: Type.String({ format: 'date' }), picks: Type.Array(pickSchema) }),
  collection: 'picks',
  formats: [todayIcs],
  examples: [{}, { sport: '{sport}' }],
  async compute({ database, now, baseUrl }, { sport }) {
    const rows = await slatePicks(database, now, sport);
    return { day: etDay(now), picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});
