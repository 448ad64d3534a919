import type { Database } from '../platform/database.ts';
import { sourceOf } from './index.ts';
import type { Source } from './source.ts';
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
  /** What sources say that is the end without a score to grade by. */
  unscored: { source: string; note: string | null }[];
}

/** Games with pending picks that are overdue, postponed or no longer listed, the longest waiting first. At most 200. */
export async function readWaiting(database: Database, now: number): Promise<WaitingGame[]> {
  const { rows }: { rows: Row[] } = await database.raw(
    `select * from (
       select g.sport, g.name, g.starts_at as "startsAt", g.status, p.picks,
         g.starts_at + s.event_minutes * interval '1 minute' < :now as over,
         (select coalesce(json_agg(json_build_object('source', e.source, 'missed', e.missed, 'asks', e.score_asks, 'seenAt', e.seen_at)
            order by e.source), '[]') from source_events e where e.game_id = g.id) as feeds,
         (select coalesce(json_agg(json_build_object('source', c.source, 'note', c.note) order by c.source), '[]')
          from source_scores c where c.game_id = g.id and c.state = 'final' and c.home_score is null) as unscored
       from (select game_id, count(*)::int as picks from pending_picks group by game_id) p
       join games g on g.id = p.game_id join sports s on s.key = g.sport
       where g.status in ('scheduled', 'postponed')
     ) w
     where over or status = 'postponed' or exists (select from json_array_elements(feeds) f where (f ->> 'missed')::int > 0)
     order by "startsAt" nulls first, sport, name limit 200`,
    { now: new Date(now) },
  );
  return rows.map(({ feeds, unscored, ...game }) => ({
    ...game,
    reasons: [...reasonsOf(game, feeds), ...unscored.map(unscoredReason)],
  }));
}

function unscoredReason({ source, note }: Row['unscored'][0]): string {
  return `${source} says that it is over, without a score to grade by${note === null ? '' : ` (${note})`}: post its result`;
}

function reasonsOf(
  { sport, status, over }: Pick<Row, 'sport' | 'status' | 'over'>,
  feeds: Row['feeds'],
): string[] {
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
  if (!feeds.some(({ source }) => hasScores(source, sport)))
    return [
      `over without a result, and no source that lists it has scores of ${sport}: post its result`,
      ...reasons,
    ];
  return ['over without a result', ...reasons];
}

function hasScores(feed: string, sport: string): boolean {
  const source: Source | undefined = sourceOf(feed);
  const sports = source?.offers.scores?.sports;
  return sports === 'set' || sports?.includes(sport) === true;
}
