import { Type } from '../../platform/type.ts';
import { slatePicks } from '../../projections/slate.ts';
import { etDay } from '../../rules/et-day.ts';
import { board } from '../board.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { keepSlate, slateFilter, slateFilters, slateTags } from './slate-filter.ts';
import { todayIcs } from './today-ics.ts';

export const todayFeed = board({
  path: '/api/feed/today',
  group: 'feeds',
  about: "All picks on today's games (ET), by start time.",
  params: Type.Object(slateFilters),
  tags: slateTags,
  ahead: [{}],
  body: Type.Object({ day: Type.String({ format: 'date' }), picks: Type.Array(pickSchema) }),
  collection: 'picks',
  formats: [todayIcs],
  examples: [{}, { sport: '{sport}' }, { capper_handle: '{handle}', market: 'spread' }],
  keep: keepSlate,
  async compute({ database, now, baseUrl }, params) {
    const rows = await slatePicks(database, now, await slateFilter({ database }, params));
    return { day: etDay(now), picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});
