import { Type } from 'typebox';
import { type BoardPick, boardPicks } from '../../projections/board-picks.ts';
import { ofProvenance } from '../../projections/provenance.ts';
import { eventsOf } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { optionalSport, provenance } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { picksRss } from './picks-rss.ts';

/** The most items in a feed. */
const newest = 100;

export const latestFeed = board({
  path: '/api/feed/picks',
  group: 'feeds',
  about: `The newest ${newest} picks of verified cappers, settled or not.`,
  params: Type.Object({ sport: optionalSport, provenance }),
  tags: ({ sport }) => eventsOf(sport),
  ahead: [{}],
  body: Type.Object({ picks: Type.Array(pickSchema) }),
  collection: 'picks',
  formats: [picksRss],
  examples: [{}, { provenance: 'live' }, { sport: 'nfl' }],
  async compute({ database, baseUrl }, { sport, provenance }) {
    const rows: BoardPick[] = await boardPicks(database)
      .where('c.verified', true)
      .modify((query) => sport !== undefined && query.where('p.sport', sport))
      .modify((query) => ofProvenance(query, 'p.provenance', provenance))
      .orderBy([
        { column: 'p.posted_at', order: 'desc' },
        { column: 'p.uuid', order: 'asc' },
      ])
      .limit(newest);
    return { picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});
