import { Type } from '../../platform/type.ts';
import { boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { maxPicks } from '../../projections/slate.ts';
import { everyEvent } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { count, uuid } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { knownPick } from '../subjects.ts';

const hourMs = 3_600_000;

export const relatedPicks = board({
  path: '/api/picks/:uuid/related',
  group: 'picks',
  about:
    'Other picks on the same side of the same market, subject, and game, posted around the same time, newest first.',
  params: Type.Object({
    uuid,
    hours: count(6, 72, 'Hours before and after the pick was posted.'),
  }),
  // The pick's game is known only after the pick is read.
  tags: () => everyEvent,
  body: Type.Object({ picks: Type.Array(pickSchema) }),
  collection: 'picks',
  examples: [{ uuid: '{uuid}' }, { uuid: '{uuid}', hours: '72' }],
  async compute({ database, baseUrl }, params) {
    const pick = await knownPick(database, params.uuid);
    const spanMs = params.hours * hourMs;
    const rows = await boardPicks(database)
      .where('p.game_id', pick.gameId)
      .where('p.market', pick.market)
      .whereRaw('p.subject is not distinct from ?::text', [pick.subject])
      .where('p.side', pick.side)
      .whereNot('p.uuid', pick.uuid)
      .whereBetween('p.posted_at', [new Date(pick.postedAt - spanMs), new Date(pick.postedAt + spanMs)])
      .orderBy(newestFirst)
      .limit(maxPicks);
    return { picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});
