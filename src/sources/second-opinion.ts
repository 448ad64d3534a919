import type { Database } from '../platform/database.ts';

const day = 86_400_000;

/** A game as two feeds list it. Starts in epoch milliseconds. */
export interface SecondOpinion {
  sport: string;
  name: string;
  /** The free feed that lists it, and the start that it gives. */
  by: string;
  startsAt: number;
  /** The feed that should list it as well, and its start; null: it does not list the game. */
  at: string;
  otherStart: number | null;
}

/** Starts this close are the same, in ms: providers round differently. */
const sameStartMs = 5 * 60_000;

/**
 * Compares upcoming games at The Odds API, whose lists of events are free, with ESPN's: those that ESPN omits or has at another start. A
 * list is compared with the ESPN feed that has most games in common with it, so nothing has to say which competitions correspond.
 */
export async function secondOpinions(database: Database, now: EpochMs): Promise<SecondOpinion[]> {
  const { rows }: { rows: SecondOpinion[] } = await database.raw(
    `with listed as (
       select e.source, e.game_id, e.starts_at, e.seen_at, e.missed, g.sport, g.name, g.status
       from source_events e join games g on g.id = e.game_id
       where starts_with(e.source, 'odds-api/') or starts_with(e.source, 'espn/')
     ), pairs as (
       select distinct on (o.source) o.source as by, e.source as at
       from listed o join listed e on e.game_id = o.game_id and starts_with(e.source, 'espn/')
       where starts_with(o.source, 'odds-api/')
       group by o.source, e.source order by o.source, count(*) desc, e.source
     ), ahead as (
       select source, max(starts_at) as until from listed
       where starts_with(source, 'espn/') and starts_at > :now and seen_at > :since group by source
     )
     select o.sport, o.name, o.source as by, o.starts_at as "startsAt", pairs.at, e.starts_at as "otherStart"
     from listed o join pairs on pairs.by = o.source join ahead on ahead.source = pairs.at
       left join listed e on e.game_id = o.game_id and e.source = pairs.at and e.missed = 0
     where o.starts_at > :now and o.starts_at <= ahead.until and o.seen_at > :since and o.missed = 0 and o.status = 'scheduled'
       and (e.game_id is null or abs(extract(epoch from e.starts_at - o.starts_at)) * 1000 > :same)
     order by o.starts_at, o.sport, o.name limit 100`,
    { now: new Date(now), since: new Date(now - day), same: sameStartMs },
  );
  return rows;
}
