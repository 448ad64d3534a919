import type { Knex } from 'knex';
import type { Database } from '../platform/database.ts';
import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import { type BoardPick, boardPicks } from './board-picks.ts';

/** The most picks in a list of a board. */
export const maxPicks = 500;

/**
 * The picks of today's slate: those whose game starts on today's ET date, as now known, and those posted on it whose game has no known
 * start. By start, unknown ones last, then as posted.
 * @param now epoch milliseconds
 */
export async function slatePicks(database: Database, now: number, sport?: string): Promise<BoardPick[]> {
  const today = etDay(now);
  const day = [new Date(etDayStart(today)), new Date(etDayStart(addDays(today, 1)) - 1)] as const;
  const [started, unknown] = await Promise.all([
    ofSport(boardPicks(database), sport).whereBetween('g.starts_at', day),
    ofSport(boardPicks(database), sport).whereNull('g.starts_at').whereBetween('p.posted_at', day),
  ]);
  return [...started, ...unknown].sort(byStart);
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

function ofSport(query: Knex.QueryBuilder<BoardPick, BoardPick[]>, sport: string | undefined) {
  return query.modify((each) => sport !== undefined && each.where('p.sport', sport));
}

function byStart(a: BoardPick, b: BoardPick): number {
  const start = (row: BoardPick) => row.startsAt ?? Number.MAX_SAFE_INTEGER;
  return start(a) - start(b) || a.postedAt - b.postedAt || (a.uuid < b.uuid ? -1 : 1);
}
