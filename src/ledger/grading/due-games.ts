import type { Knex } from 'knex';
import type { Game } from '../../games/game.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { postponedVoidAt } from '../../rules/grading.ts';

/**
 * Returns the ids of games that are due for grading, in ascending order. A game is due at its start, when a postponement has lasted too
 * long, and when its start, status, score, result, or prices change. The cost depends on the number of due games, not of pending picks.
 * @param after the last game of the previous batch, 0 for the first batch
 */
export async function dueGames(
  database: Database,
  now: EpochMs,
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
 * Removes locked games from `due_games`. Call it before reading their data: the lock keeps changes out until the transaction ends, so an
 * entry added later always means new data.
 */
export async function removeDueGames(transaction: Transaction, gameIds: readonly number[]): Promise<void> {
  await transaction('due_games')
    .whereRaw('game_id = any(?::bigint[])', [[...gameIds]])
    .delete();
}

/** Adds locked games with pending picks to `due_games`, due at the next time that closes or settles picks without new data. */
export async function addDueGames(
  transaction: Transaction,
  games: readonly Game[],
  now: number,
): Promise<void> {
  const rows = games.flatMap((game) => {
    const next = [game.startsAt, voidAt(game)].filter((at) => at !== null && at > now) as number[];
    return next.length === 0 ? [] : { game_id: game.id, due_at: new Date(Math.min(...next)) };
  });
  if (rows.length > 0) await transaction('due_games').insert(rows);
}

/**
 * Makes games due at once if they have pending picks but are missing from `due_games`. This repairs lost entries, which would otherwise
 * wait forever. The cost depends on the number of pending picks.
 * @returns the number of games added
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

/** Returns games with unclosed picks that start within `aheadMs` of `now`. Their closings need a planned job. */
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

export interface GradingWork {
  due: boolean;
  /** See {@link upcomingStarts}. */
  starts: boolean;
}

export async function gradingWork(database: Database, now: number, aheadMs: number): Promise<GradingWork> {
  const { rows }: { rows: GradingWork[] } = await database.raw(
    'select exists (select from due_games where due_at <= ?) as due, exists (?) as starts',
    [new Date(now), startsWithin(database, now, aheadMs).select(database.raw('1'))],
  );
  return rows[0]!;
}
