import { Type } from '../../platform/type.ts';
import { type BoardPick, boardPicks, feedPicks } from '../../projections/board-picks.ts';
import { eventsOf } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { pickItem } from '../formats/pick-facts.ts';
import { narrowed, rssFormat } from '../formats/rss-format.ts';
import { optionalSport, provenance } from '../params.ts';
import type { PublicPick } from '../pick.ts';
import { pickSchema, publicPick } from '../pick.ts';

/** `/picks.rss`: every pick of verified cappers, newest first. */
export const picksRss = rssFormat<{ picks: readonly PublicPick[] }>({
  path: '/picks.rss',
  title: (context) => `Public Picks${narrowed(context)}`,
  about: () => 'Every pick by verified cappers: odds and stake when posted, closing odds and result later.',
  page: () => '/',
  items: ({ picks }) => picks.map(pickItem),
});

/** The most items in a feed. */
const newest = 100;

export const latestFeed = board({
  path: '/api/feed/picks',
  group: 'feeds',
  about: `The newest ${newest} picks by verified cappers, settled or not.`,
  params: Type.Object({ sport: optionalSport, provenance }),
  tags: ({ sport }) => eventsOf(sport),
  ahead: [{}],
  body: Type.Object({ picks: Type.Array(pickSchema) }),
  collection: 'picks',
  formats: [picksRss],
  examples: [{}, { provenance: 'live' }, { sport: 'nfl' }],
  async compute({ database, baseUrl }, { sport, provenance }) {
    const verified = 'exists (select from cappers c where c.id = b.capper_id and c.verified)';
    const first = feedPicks(database, 'posted', { sport, provenance }, newest, verified);
    const rows: BoardPick[] = await boardPicks(database, first).orderBy([
      { column: 'p.posted_at', order: 'desc' },
      { column: 'p.uuid', order: 'asc' },
    ]);
    return { picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});
