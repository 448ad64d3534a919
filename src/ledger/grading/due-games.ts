import type { Knex } from 'knex';
import type { Game } from '../../games/game.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { postponedVoidAt } from '../../rules/grading.ts';

/**
 * Games to look at, in the order of their ids: at their start, when they have been postponed for too long, and when their start, status,
 * score, a result or a price came in. Costs what is due, however many picks are pending.
 * @param now epoch milliseconds
 * @param after the last game of the batch before, 0 for the first
 */
export async function dueGames(
  database: Database,
  now: number,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows }: { rows: { id: number }[] } = await database.raw(
    'select distinct game_id as id from due_games where due_at <= ? and game_id > ? order by id limit ?',
    [new Date(now), after, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Takes locked games off the list. Before what they rest on is read: nothing of a locked game comes in until the transaction ends, so what
 * is listed later is listed for good.
 */
export async function takeOff(transaction: Transaction, gameIds: readonly number[]): Promise<void> {
  await transaction('due_games')
    .whereRaw('game_id = any(?::bigint[])', [[...gameIds]])
    .delete();
}

/** Lists locked games with pending picks for the next instant at which time alone closes or settles some of them. */
export async function putBack(transaction: Transaction, games: readonly Game[], now: number): Promise<void> {
  const rows = games.flatMap((game) => {
    const next = [game.startsAt, voidAt(game)].filter((at) => at !== null && at > now) as number[];
    return next.length === 0 ? [] : { game_id: game.id, due_at: new Date(Math.min(...next)) };
  });
  if (rows.length > 0) await transaction('due_games').insert(rows);
}

/**
 * Lists games with pending picks that are on no list, to be looked at once: what a list lost would wait forever otherwise. Costs what is
 * pending.
 * @returns how many
 */
export async function relistGames(database: Database): Promise<number> {
  const { rowCount }: { rowCount: number } = await database.raw(
    `insert into due_games (game_id, due_at)
     select distinct p.game_id, timestamptz 'epoch' from pending_picks p
     where not exists (select from due_games d where d.game_id = p.game_id)`,
  );
  return rowCount;
}

function voidAt({ wasPostponed, announcedStart }: Game): number | null {
  return wasPostponed && announcedStart !== null ? postponedVoidAt(announcedStart) : null;
}

/** Games with unclosed picks that start within `aheadMs` from now: what to plan a closing for. */
export async function upcomingStarts(
  database: Database,
  now: number,
  aheadMs: number,
): Promise<{ gameId: number; startsAt: number }[]> {
  return startsWithin(database, now, aheadMs)
    .orderBy('g.starts_at')
    .select({ gameId: 'g.id', startsAt: 'g.starts_at' });
}

function startsWithin(database: Database, now: number, aheadMs: number): Knex.QueryBuilder {
  return database('games as g')
    .where('g.starts_at', '>', new Date(now))
    .where('g.starts_at', '<=', new Date(now + aheadMs))
    .whereExists(database('pending_picks as p').whereRaw('p.game_id = g.id and not p.closed'));
}

/** What the grading worker has to do. */
export interface GradingWork {
  /** Whether games are due. */
  due: boolean;
  /** Whether there is a closing to plan: see {@link upcomingStarts}. */
  starts: boolean;
}

/** Looks for all of it with one statement. */
export async function gradingWork(database: Database, now: number, aheadMs: number): Promise<GradingWork> {
  const { rows }: { rows: GradingWork[] } = await database.raw(
    'select exists (select from due_games where due_at <= ?) as due, exists (?) as starts',
    [new Date(now), startsWithin(database, now, aheadMs).select(database.raw('1'))],
  );
  return rows[0]!;
}
