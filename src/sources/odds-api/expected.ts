import type { Database } from '../../platform/database.ts';

/** What a source's events need next. Instants in epoch milliseconds. */
export interface Expected {
  /** The next start of a known game. */
  nextStart: number | null;
  /** When the first game that has pending picks and no result must have ended. */
  overSince: number | null;
}

/** Days back for which the provider has scores. */
const scoresDays = 3;

/**
 * What events need next, by source. Scores are requested only where picks wait for them, and not before four fifths of the sport's usual
 * duration.
 */
export async function expectedOf(
  database: Database,
  prefix: string,
  now: number,
): Promise<Map<string, Expected>> {
  const { rows }: { rows: (Expected & { source: string })[] } = await database.raw(
    `select e.source,
       min(g.starts_at) filter (where g.starts_at > :now and g.status in ('scheduled', 'postponed')) as "nextStart",
       min(o.over_at) filter (where o.over_at between :oldest and :now and g.status = 'scheduled'
         and exists (select from pending_picks p where p.game_id = g.id)) as "overSince"
     from source_events e
     join games g on g.id = e.game_id
     join sports s on s.key = g.sport
     cross join lateral (select g.starts_at + s.event_minutes * interval '48 seconds' as over_at) o
     where starts_with(e.source, :prefix) and g.starts_at > :oldest
     group by e.source`,
    { prefix, now: new Date(now), oldest: new Date(now - scoresDays * 86_400_000) },
  );
  return new Map(rows.map(({ source, ...expected }) => [source, expected]));
}
