import type { Database } from '../../platform/database.ts';
import { maxScoreAsks } from '../waiting.ts';
import { oddsApiSource } from './source.ts';

/** The times that decide when to poll a source. Instants in epoch milliseconds. */
export interface Expected {
  /** Next start of a known game. */
  nextStart: number | null;
  /** When the first game with pending picks and no result must have ended. */
  overSince: number | null;
}

/** Number of past days that the provider has scores for. */
const scoresDays = 3;

/** How late a free source's score may be before this provider is polled, in hours. */
const freeLateHours = 6;

/**
 * Returns what events need next, by source. Scores are requested only if picks wait for them, from four fifths of the sport's usual
 * duration on. If a free source lists the game, they are requested only once its score is late. They are not requested again for a finished
 * game without a score that counts.
 * @param freeFeeds feeds that report scores for free
 */
export async function expectedOf(
  database: Database,
  prefix: string,
  freeFeeds: ReadonlySet<string>,
  now: number,
): Promise<Map<string, Expected>> {
  const { rows }: { rows: (Expected & { source: string })[] } = await database.raw(
    `select e.source,
       min(g.starts_at) filter (where g.starts_at > :now and g.status in ('scheduled', 'postponed')) as "nextStart",
       min(o.over_at) filter (where o.over_at between :oldest and :now and g.status = 'scheduled'
         and e.score_asks < :maxScoreAsks and exists (select from pending_picks p where p.game_id = g.id)
         and not exists (select from source_scores c
           where c.game_id = g.id and c.source = :speaker and c.state = 'final' and c.home_score is null)
         and (o.over_at <= :late or not exists (
           select from source_events f where f.game_id = g.id and f.source = any(:free::text[])))) as "overSince"
     from source_events e
     join games g on g.id = e.game_id
     join sports s on s.key = g.sport
     cross join lateral (select g.starts_at + s.event_minutes * interval '48 seconds' as over_at) o
     where starts_with(e.source, :prefix) and g.starts_at > :oldest
     group by e.source`,
    {
      prefix,
      maxScoreAsks,
      speaker: oddsApiSource.name,
      now: new Date(now),
      oldest: new Date(now - scoresDays * 86_400_000),
      late: new Date(now - freeLateHours * 3_600_000),
      free: [...freeFeeds],
    },
  );
  return new Map(rows.map(({ source, ...expected }) => [source, expected]));
}
