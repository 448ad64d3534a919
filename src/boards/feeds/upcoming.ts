import { Type } from '../../platform/type.ts';
import { upcomingPicks } from '../../projections/slate.ts';
import { board } from '../board.ts';
import { count } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { keepSlate, slateFilter, slateFilters, slateTags } from './slate-filter.ts';

export const upcomingFeed = board({
  path: '/api/feed/upcoming',
  group: 'feeds',
  about: 'Pending picks on games that start in the next hours, soonest first.',
  params: Type.Object({ hours: count(4, 24, 'How many hours ahead.'), ...slateFilters }),
  tags: slateTags,
  ahead: [{}],
  body: Type.Object({ picks: Type.Array(pickSchema) }),
  collection: 'picks',
  examples: [{}, { hours: '24', sport: '{sport}' }],
  keep: keepSlate,
  async compute({ database, now, baseUrl }, { hours, ...filter }) {
    const until = now + hours * 3_600_000;
    const rows = await upcomingPicks(database, now, until, await slateFilter({ database }, filter));
    return { picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});
