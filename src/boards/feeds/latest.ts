import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { type BoardPick, boardPicks, feedPicks, newestFirst } from '../../projections/board-picks.ts';
import { eventsOf } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { lifetimes } from '../endpoint.ts';
import { pickItem } from '../formats/pick-text.ts';
import { narrowed, rssFormat } from '../formats/rss-format.ts';
import {
  count,
  optionalSport,
  parsePickCursor,
  pickCursor,
  pickCursorAfter,
  provenance,
  tier,
} from '../params.ts';
import { type PublicPick, pickSchema, publicPick } from '../pick.ts';

export const picksRss = rssFormat<{ picks: readonly PublicPick[] }>({
  path: '/picks.rss',
  title: (context) => `Public Picks${narrowed(context)}`,
  about: () => 'Every pick by verified cappers: odds and stake when posted, closing odds and result later.',
  page: () => '/',
  usual: { provenance: 'all' },
  items: ({ picks }) => picks.map(pickItem),
});

const most = 100;

export const latestFeed = board({
  path: '/api/feed/picks',
  group: 'feeds',
  about: 'Picks by verified cappers, settled or not, newest first, 100 per page.',
  params: Type.Object({ sport: optionalSport, provenance, cursor: pickCursor }),
  tags: ({ sport }) => eventsOf(sport),
  ahead: [{}],
  body: Type.Object({
    picks: Type.Array(pickSchema),
    nextCursor: Field.orNull.text('Null on the last page.'),
  }),
  collection: 'picks',
  formats: [picksRss],
  examples: [
    {},
    { provenance: 'live' },
    { sport: 'nfl', cursor: '1767225600000-0f8fad5b-d9cb-469f-a165-70867728950e' },
  ],
  async compute({ database, baseUrl }, { sport, provenance, cursor }) {
    const verified = 'exists (select from cappers c where c.id = b.capper_id and c.verified)';
    const where = cursor === undefined ? verified : `${verified} and ${afterSql(cursor)}`;
    const first = feedPicks(database, 'posted', { sport, provenance }, most + 1, where);
    const rows: BoardPick[] = await boardPicks(database, first).orderBy(newestFirst);
    const shown = rows.slice(0, most);
    return {
      picks: shown.map((row) => publicPick(row, baseUrl)),
      nextCursor: rows.length > most ? pickCursorAfter(shown.at(-1)!) : null,
    };
  },
});

/** @param cursor validated */
function afterSql(cursor: string): string {
  const { postedAt, uuid } = parsePickCursor(cursor);
  const at = `'${postedAt.toISOString()}'::timestamptz`;
  return `b.posted_at <= ${at} and (b.posted_at < ${at} or b.uuid > '${uuid}'::uuid)`;
}

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
  tags: ({ sport }) => eventsOf(sport, ['settled']),
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
