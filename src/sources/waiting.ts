import type { Database } from '../platform/database.ts';
import { missesToVanish } from './vanished-rule.ts';

/** Requests for the score of one event, after which no more are made. */
export const maxScoreAsks = 24;

/** A game that picks wait for, and why. Instants in epoch milliseconds. */
export interface WaitingGame {
  sport: string;
  name: string;
  startsAt: number | null;
  status: string;
  /** It should have ended by now. */
  over: boolean;
  /** Pending picks. */
  picks: number;
  reasons: string[];
}

interface Row extends Omit<WaitingGame, 'reasons'> {
  feeds: { source: string; missed: number; asks: number; seenAt: string }[];
}

/** Games with pending picks that are overdue, postponed or no longer listed, the longest waiting first. At most 200. */
export async function readWaiting(database: Database, now: number): Promise<WaitingGame[]> {
  const { rows }: { rows: Row[] } = await database.raw(
    `select * from (
       select g.sport, g.name, g.starts_at as "startsAt", g.status, p.picks,
         g.starts_at + s.event_minutes * interval '1 minute' < :now as over,
         (select coalesce(json_agg(json_build_object('source', e.source, 'missed', e.missed, 'asks', e.score_asks, 'seenAt', e.seen_at)
            order by e.source), '[]') from source_events e where e.game_id = g.id) as feeds
       from (select game_id, count(*)::int as picks from pending_picks group by game_id) p
       join games g on g.id = p.game_id join sports s on s.key = g.sport
       where g.status in ('scheduled', 'postponed')
     ) w
     where over or status = 'postponed' or exists (select from json_array_elements(feeds) f where (f ->> 'missed')::int > 0)
     order by "startsAt" nulls first, sport, name limit 200`,
    { now: new Date(now) },
  );
  return rows.map(({ feeds, ...game }) => ({ ...game, reasons: reasonsOf(game.status, game.over, feeds) }));
}

function reasonsOf(status: string, over: boolean, feeds: Row['feeds']): string[] {
  const reasons = feeds.flatMap(({ source, missed, asks }) => [
    ...(missed > 0
      ? [`${source} has left it out ${missed} times${missed < missesToVanish ? ', looked at again' : ''}`]
      : []),
    ...(asks >= maxScoreAsks
      ? [`${source} was asked ${asks} times for the score, and is asked no more`]
      : []),
  ]);
  if (status === 'postponed') return ['postponed: void 48 hours after the first announced start', ...reasons];
  if (!over) return reasons;
  if (feeds.length === 0) return ['over without a result, and no source lists it: post its result'];
  return ['over without a result', ...reasons];
}
