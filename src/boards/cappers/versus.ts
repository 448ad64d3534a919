import { Type } from 'typebox';
import type { Capper } from '../../cappers/cappers.ts';
import type { Database } from '../../platform/database.ts';
import { lifetimes } from '../../platform/lifetimes.ts';
import { etDay } from '../../rules/et-day.ts';
import { type ComparedPick, sharedGames } from '../../rules/head-to-head.ts';
import { recordOf } from '../../rules/tally.ts';
import { board } from '../board.ts';
import { knownCapper } from '../cappers.ts';
import { tierSchema } from '../fields.ts';
import { handle } from '../params.ts';
import { recordSchema, windowTallies } from '../record.ts';
import { tags } from '../tags.ts';
import { currentStreak, streakSchema } from './current-streak.ts';

const corner = Type.Object({
  handle: Type.String(),
  tier: { ...tierSchema, description: 'The tier today.' },
  lifetime: recordSchema,
  last30d: recordSchema,
  streak: streakSchema,
});

export const cappersVersus = board({
  path: '/api/cappers/:handle/vs/:other',
  group: 'cappers',
  about: 'Two cappers head to head: tiers, records, streaks, and where they met on one market of a game.',
  params: Type.Object({ handle, other: handle }),
  lifetime: lifetimes.board,
  tags: (params) => [tags.capper(params.handle), tags.capper(params.other)],
  body: Type.Object({
    left: corner,
    right: corner,
    shared: Type.Object({
      games: Type.Integer({ description: 'Games on which both have a pick.' }),
      agreed: Type.Integer({ description: 'Markets of those games with both on the same side.' }),
      opposed: Type.Integer({ description: 'Markets of those games with them on different sides.' }),
    }),
  }),
  examples: [{ handle: '{handle}', other: '{other}' }],
  async compute({ database, now }, params) {
    const [left, right] = await Promise.all([
      knownCapper(database, params.handle),
      knownCapper(database, params.other),
    ]);
    const today = etDay(now);
    const [leftCorner, rightCorner, ofLeft, ofRight] = await Promise.all([
      cornerOf(database, left, today),
      cornerOf(database, right, today),
      picksOnGamesOf(database, left, right),
      picksOnGamesOf(database, right, left),
    ]);
    return { left: leftCorner, right: rightCorner, shared: sharedGames(ofLeft, ofRight) };
  },
});

async function cornerOf(database: Database, { id, handle, tier }: Capper, today: string) {
  const [tallies, streak] = await Promise.all([
    windowTallies(database, ['30d', 'all'], today, id),
    currentStreak(database, id),
  ]);
  return { handle, tier, lifetime: recordOf(tallies.all), last30d: recordOf(tallies['30d']), streak };
}

/** The picks of one capper on games on which the other has a pick too. */
function picksOnGamesOf(database: Database, capper: Capper, other: Capper): Promise<ComparedPick[]> {
  return database('board_picks')
    .where('capper_id', capper.id)
    .whereIn('game_id', database('board_picks').where('capper_id', other.id).select('game_id'))
    .select({
      gameId: 'game_id',
      market: 'market',
      side: 'side',
      postedAt: 'posted_at',
      pickUuid: 'uuid',
    });
}
