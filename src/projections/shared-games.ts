import type { Database } from '../platform/database.ts';
import { type ComparedPick, type Shared, sharedGames } from '../rules/head-to-head.ts';

/** No pick before this one is missing in `board_picks`: none of them waits to be sealed or to be read, or is set aside. */
const firstUnread = `select coalesce(least(
    (select min(subject_id) from unsealed_events where kind = 'posted'),
    (select min(subject_id) from events_set_aside where kind = 'posted'),
    (select min(pick_id) from (
      select pick_id from ledger_entries
      where kind = 'posted' and seq >= coalesce((select next_seq from reader_cursors where reader = 'boards'), 0) offset 0) e)
  ), 9223372036854775807) as id`;

/** Sides that a pick of each of two cappers is on, on one game. */
interface Pair {
  leftMarket: string;
  leftSide: string;
  rightMarket: string;
  rightSide: string;
  /** On how many games it is so that neither has another pick on. */
  games: number;
  /** The picks on the others; null without any. */
  lefts: number[] | null;
  rights: number[] | null;
}

/**
 * Where two cappers met. An index of `picks` alone tells which picks are on shared games, and most of them are only counted: a pick itself
 * is read where its capper may have a later one on the game.
 */
export async function sharedGamesOf(database: Database, leftId: number, rightId: number): Promise<Shared> {
  const isUnread = (pick: string) =>
    `${pick}.id >= unread.id and not exists (select from board_picks where pick_id = ${pick}.id)`;
  const { rows: pairs }: { rows: Pair[] } = await database.raw(
    `with unread as materialized (${firstUnread}), paired as (
       select l.id as left_id, l.market as left_market, l.side as left_side, r.id as right_id, r.market as right_market, r.side as right_side,
         count(*) over (partition by l.game_id) as pairs
       from picks l join picks r on r.game_id = l.game_id
       where l.capper_id = :leftId and r.capper_id = :rightId
         and not exists (select from unread where ${isUnread('l')} or ${isUnread('r')})
     )
     select left_market as "leftMarket", left_side as "leftSide", right_market as "rightMarket", right_side as "rightSide",
       (count(*) filter (where pairs = 1))::int as games,
       to_json(array_agg(left_id) filter (where pairs > 1)) as lefts, to_json(array_agg(right_id) filter (where pairs > 1)) as rights
     from paired group by 1, 2, 3, 4`,
    { leftId, rightId },
  );
  const { left, right } = await picksOf(
    database,
    new Set(pairs.flatMap(({ lefts }) => lefts ?? [])),
    new Set(pairs.flatMap(({ rights }) => rights ?? [])),
  );
  const parts = [
    { games: 1, met: sharedGames(left, right) },
    ...pairs.map(({ games, leftMarket, leftSide, rightMarket, rightSide }) => ({
      games,
      met: sharedGames([onlyPick(leftMarket, leftSide)], [onlyPick(rightMarket, rightSide)]),
    })),
  ];
  const total = (of: keyof Shared) => parts.reduce((sum, { games, met }) => sum + games * met[of], 0);
  return { games: total('games'), agreed: total('agreed'), opposed: total('opposed') };
}

/** A pick that is the latest because its capper has no other on the game. */
const onlyPick = (market: string, side: string): ComparedPick => ({
  ...{ gameId: '', market, side, postedAt: 0, pickUuid: '' },
});

/** Picks by id. */
async function picksOf(
  database: Database,
  lefts: ReadonlySet<number>,
  rights: ReadonlySet<number>,
): Promise<Record<'left' | 'right', ComparedPick[]>> {
  const picks: (ComparedPick & { pickId: number })[] = await database('board_picks')
    .whereRaw('pick_id = any(?::bigint[])', [[...lefts, ...rights]])
    .select({
      ...{ pickId: 'pick_id', gameId: 'game_id', market: 'market', side: 'side' },
      ...{ postedAt: 'posted_at', pickUuid: 'uuid' },
    });
  return {
    left: picks.filter(({ pickId }) => lefts.has(pickId)),
    right: picks.filter(({ pickId }) => rights.has(pickId)),
  };
}
