import type { Knex } from 'knex';
import type { Database } from '../platform/database.ts';
import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import type { Tier } from '../rules/vocabulary.ts';
import { type BoardPick, boardPicks } from './board-picks.ts';

/** The most picks in a list of a board, except today's slate, which is complete. */
export const maxPicks = 500;

/**
 * The picks of today's slate: those whose game starts on today's ET date, as now known, and those posted on it whose game has no known
 * start. By start, unknown ones last, then as posted.
 * @param now epoch milliseconds
 */
export async function slatePicks(database: Database, now: number, sport?: string): Promise<BoardPick[]> {
  const lists = await Promise.all(
    slateParts(now).map(
      (part): Promise<BoardPick[]> =>
        part(ofSport(boardPicks(database), sport)).orderBy(['g.starts_at', 'p.posted_at', 'p.uuid']),
    ),
  );
  return lists.flat();
}

/** A game of today's slate, with what its picks there come to. */
export interface SlateGame {
  gameId: number;
  sport: string;
  game: string;
  /** Epoch milliseconds. */
  startsAt: number | null;
  pickCount: number;
  capperCount: number;
  marketCount: number;
  /** Different cappers by tier at post time. */
  elite: number;
  verified_sharp: number;
  listed: number;
}

/** The games that {@link slatePicks} are on, in no order. */
export async function slateGames(database: Database, now: number, sport?: string): Promise<SlateGame[]> {
  const lists = await Promise.all(
    slateParts(now).map((part): Promise<SlateGame[]> => {
      const picks = database('board_picks as p').join('games as g', 'g.id', 'p.game_id');
      const counted = part(ofSport(picks, sport))
        .select('p.game_id', 'p.sport', 'g.name', 'g.starts_at', 'p.capper_id', 'p.tier', 'p.market')
        .select({ picks: database.raw('count(*)') })
        .groupBy('p.game_id', 'p.sport', 'g.name', 'g.starts_at', 'p.capper_id', 'p.tier', 'p.market');
      const cappers = (tier: Tier) =>
        database.raw('(count(distinct capper_id) filter (where tier = ?))::int', [tier]);
      return database
        .from(counted.as('s'))
        .groupBy('game_id', 'sport', 'name', 'starts_at')
        .select({
          gameId: 'game_id',
          sport: 'sport',
          game: 'name',
          startsAt: 'starts_at',
          pickCount: database.raw('sum(picks)::bigint'),
          capperCount: database.raw('count(distinct capper_id)::int'),
          marketCount: database.raw('count(distinct market)::int'),
          elite: cappers('elite'),
          verified_sharp: cappers('verified_sharp'),
          listed: cappers('listed'),
        });
    }),
  );
  return lists.flat();
}

/** What narrows picks to today's slate, in two parts of which each has an index: by the start of the game, and without one as posted. */
function slateParts(now: number): ((query: Knex.QueryBuilder) => Knex.QueryBuilder)[] {
  const today = etDay(now);
  const day = [new Date(etDayStart(today)), new Date(etDayStart(addDays(today, 1)) - 1)] as const;
  return [
    (query) => query.whereBetween('g.starts_at', day),
    (query) => query.whereNull('g.starts_at').whereBetween('p.posted_at', day),
  ];
}

/** Pending picks on games that start after `now` and at or before `until`, the earliest start first. */
export async function upcomingPicks(
  database: Database,
  now: number,
  until: number,
  sport?: string,
): Promise<BoardPick[]> {
  const rows: BoardPick[] = await ofSport(boardPicks(database), sport)
    .whereNull('p.result')
    .where('g.starts_at', '>', new Date(now))
    .where('g.starts_at', '<=', new Date(until))
    .orderBy(['g.starts_at', 'p.posted_at', 'p.uuid'])
    .limit(maxPicks);
  return rows;
}

function ofSport(query: Knex.QueryBuilder, sport: string | undefined): Knex.QueryBuilder {
  return query.modify((each) => sport !== undefined && each.where('p.sport', sport));
}
