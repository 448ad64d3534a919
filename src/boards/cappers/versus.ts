import type { Capper } from '../../cappers/cappers.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { countsSql } from '../../projections/pick-filter.ts';
import { windowTallies } from '../../projections/rollups.ts';
import { tags } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { type ComparedPick, type Shared, sharedGames } from '../../rules/head-to-head.ts';
import { recordOf } from '../../rules/tally.ts';
import { beyond, board } from '../board.ts';
import type { BoardContext } from '../endpoint.ts';
import { handle } from '../params.ts';
import { recordSchema } from '../record.ts';
import { knownCapper } from '../subjects.ts';
import { capperFields } from './capper-board.ts';
import { currentStreak, streakSchema } from './streaks.ts';

const corner = Type.Object({
  ...capperFields,
  lifetime: recordSchema,
  last30d: recordSchema,
  streak: streakSchema,
});

export const cappersVersus = board({
  path: '/api/cappers/:handle/vs/:other',
  group: 'cappers',
  about: 'Two cappers head to head: tiers, records, streaks, and markets they both picked.',
  params: Type.Object({ handle, other: handle }),
  tags: (params) => [tags.capper(params.handle), tags.capper(params.other)],
  body: Type.Object({
    left: corner,
    right: corner,
    shared: Type.Object({
      games: Field.integer('Games both cappers picked.'),
      agreed: Field.integer('Markets in those games where both took the same side.'),
      opposed: Field.integer('Markets in those games where they took different sides.'),
    }),
  }),
  beyondLog: { 'left.tier': beyond.tier, 'right.tier': beyond.tier },
  examples: [{ handle: '{handle}', other: '{other}' }],
  async compute(context, params) {
    const { database, now } = context;
    const [left, right] = await Promise.all([
      knownCapper(database, params.handle),
      knownCapper(database, params.other),
    ]);
    const today = etDay(now);
    const [leftCorner, rightCorner, shared] = await Promise.all([
      cornerOf(context, left, today),
      cornerOf(context, right, today),
      sharedBy(context, left.id, right.id),
    ]);
    return { left: leftCorner, right: rightCorner, shared };
  },
});

async function cornerOf(context: BoardContext, { id, handle, tier, verified }: Capper, today: string) {
  const [tallies, streak] = await Promise.all([
    windowTallies(context.database, ['30d', 'all'], today, { capperId: id }),
    currentStreak(context, id),
  ]);
  return {
    handle,
    tier,
    verified,
    lifetime: recordOf(tallies.all),
    last30d: recordOf(tallies['30d']),
    streak,
  };
}

/** From every pair of their picks on the same game. */
async function sharedBy({ database }: BoardContext, leftId: number, rightId: number): Promise<Shared> {
  const pickOf = (table: string) =>
    `json_build_object('gameId', ${table}.game_id, 'market', ${table}.market, 'subject', ${table}.subject, 'side', ${table}.side,
       'postedAt', extract(epoch from ${table}.posted_at) * 1000, 'pickUuid', ${table}.uuid)`;
  const { rows }: { rows: { mine: ComparedPick; theirs: ComparedPick }[] } = await database.raw(
    `select ${pickOf('l')} as mine, ${pickOf('r')} as theirs
     from board_picks l join board_picks r using (game_id)
     where l.capper_id = ? and r.capper_id = ? and ${countsSql('l')} and ${countsSql('r')}`,
    [leftId, rightId],
  );
  return sharedGames(
    rows.map(({ mine }) => mine),
    rows.map(({ theirs }) => theirs),
  );
}
