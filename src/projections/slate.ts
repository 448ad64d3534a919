import type { Knex } from 'knex';
import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import type { Tier } from '../rules/vocabulary.ts';
import { type BoardPick, boardPicks } from './board-picks.ts';
import { type PickFilter, passing } from './pick-filter.ts';

/** Maximum number of picks in a board's list, except today's slate, which is complete. */
export const maxPicks = 500;

/** Selects picks of a slate. `teams` are names of one team, in lower case: a game of any of them passes. `subjects` mean one player. */
export interface SlateFilter extends PickFilter {
  capperId?: number | undefined;
  teams?: readonly string[] | undefined;
  subjects?: readonly string[] | undefined;
}

/**
 * Reads the picks of today's slate: those whose game currently starts on today's ET date, or was announced for this day without a time, and
 * those posted today whose game has neither. Ordered by start, unknown starts last, then by post time.
 */
export async function slatePicks(
  database: Database,
  now: EpochMs,
  filter: SlateFilter = {},
): Promise<BoardPick[]> {
  const lists = await Promise.all(
    slateParts(now).map(
      (part): Promise<BoardPick[]> =>
        part(filtered(boardPicks(database), filter)).orderBy(['g.starts_at', 'p.posted_at', 'p.uuid']),
    ),
  );
  return lists.flat();
}

export interface SlateGame {
  gameId: number;
  sport: string;
  game: string;
  startsAt: EpochMs | null;
  day: string | null;
  pickCount: number;
  capperCount: number;
  marketCount: number;
  elite: number;
  verified_sharp: number;
  listed: number;
}

/** Unordered. */
export async function slateGames(database: Database, now: number, sport?: string): Promise<SlateGame[]> {
  const lists = await Promise.all(
    slateParts(now).map((part): Promise<SlateGame[]> => {
      const picks = database('board_picks as p').join('games as g', 'g.id', 'p.game_id');
      const by = 'p.game_id p.sport g.name g.starts_at g.day p.capper_id p.tier p.market'.split(' ');
      const counted = part(filtered(picks, { sport }))
        .select(...by, { picks: database.raw('count(*)') })
        .groupBy(by);
      const cappers = (tier: Tier) =>
        database.raw('(count(distinct capper_id) filter (where tier = ?))::int', [tier]);
      return database
        .from(counted.as('s'))
        .groupBy('game_id', 'sport', 'name', 'starts_at', 'day')
        .select({
          ...inCamelCase('game_id sport starts_at day'),
          game: 'name',
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

/** In parts that each have an index: by the game's start, by its day if only that is known, and by post time for games without either. */
export function slateParts(now: number): ((query: Knex.QueryBuilder) => Knex.QueryBuilder)[] {
  const today = etDay(now);
  const day = [new Date(etDayStart(today)), new Date(etDayStart(addDays(today, 1)) - 1)] as const;
  return [
    (query) => query.whereBetween('g.starts_at', day),
    (query) => query.whereNull('g.starts_at').where('g.day', today),
    (query) => query.whereNull('g.starts_at').whereNull('g.day').whereBetween('p.posted_at', day),
  ];
}

/** Reads pending picks on games that start after `now` and at or before `until`, ordered by start. */
export async function upcomingPicks(
  database: Database,
  now: number,
  until: number,
  filter: SlateFilter = {},
): Promise<BoardPick[]> {
  const rows: BoardPick[] = await filtered(boardPicks(database), filter)
    .whereNull('p.result')
    .where('g.starts_at', '>', new Date(now))
    .where('g.starts_at', '<=', new Date(until))
    .orderBy(['g.starts_at', 'p.posted_at', 'p.uuid'])
    .limit(maxPicks);
  return rows;
}

function filtered(query: Knex.QueryBuilder, filter: SlateFilter): Knex.QueryBuilder {
  const { capperId, teams, subjects } = filter;
  if (capperId !== undefined) query.where('p.capper_id', capperId);
  if (subjects !== undefined) query.whereRaw('p.subject = any(?::text[])', [[...subjects]]);
  if (teams !== undefined)
    query.whereRaw(`regexp_split_to_array(lower(g.name), ' (@|vs) ') && ?::text[]`, [[...teams]]);
  return passing(query, 'p', filter);
}
