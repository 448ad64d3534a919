import { Type } from 'typebox';
import { boardPicks } from '../../projections/board-picks.ts';
import { tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { handle } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { knownCapper } from '../subjects.ts';
import { capperRss } from './capper-rss.ts';

/** The most items in a feed. */
const newest = 100;

export const capperPicks = board({
  path: '/api/cappers/:handle/picks',
  group: 'cappers',
  about: `The newest ${newest} picks of a capper, settled or not.`,
  params: Type.Object({ handle }),
  tags: (params) => [tags.capper(params.handle), tags.world],
  body: Type.Object({ picks: Type.Array(pickSchema) }),
  collection: 'picks',
  formats: [capperRss],
  examples: [{ handle: '{handle}' }],
  async compute({ database, baseUrl }, params) {
    const capper = await knownCapper(database, params.handle);
    const rows = await boardPicks(database)
      .where('p.capper_id', capper.id)
      .orderBy([
        { column: 'p.posted_at', order: 'desc' },
        { column: 'p.uuid', order: 'asc' },
      ])
      .limit(newest);
    return { picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});
