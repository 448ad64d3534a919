import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { gather } from './gather.ts';

/** Most events that a subscription is sent in one cycle (interface, section 8). */
export const cap = 50;

/**
 * How long a subscription stays with whoever took it, in milliseconds by the database's clock, counted anew from each commit: longer
 * than the longest request. A killed worker's subscriptions are free again after that.
 */
export const leaseMs = 15_000;

/** Whether a subscription, `s`, may be taken now (`:now`, the service's clock) in the last cycle, `c`, for its filter, `f`. */
export const due = `
  -- The cursor rests nowhere beyond where it is: that finds the row, by its index.
  s.status = 'active' and s.resting_seq <= f.head_seq and s.cursor_seq <= f.head_seq
  and (s.cycle <> c.cycle or s.cycle_sent < ${cap})
  and (s.lease_until is null or s.lease_until <= clock_timestamp())
  -- No receiver may ask for more than an hour: what lies further ahead is a clock that was set back.
  and (s.retry_at is null or s.retry_at <= :now or s.retry_at > cast(:now as timestamptz) + interval '1 hour')`;

/** A subscription in the hands of one job: nobody else can move its cursor as long as its generation is the same. */
export interface Taken {
  id: number;
  generation: number;
  /** The first `seq` that it has not had. */
  cursorSeq: number;
  /** The last `seq` that matches its filter. */
  headSeq: number;
  capperId: number | null;
  sport: string | null;
  /** The cycle, and how many events it has been sent in it. */
  cycle: number;
  sent: number;
  /** Consecutive failures. */
  strikes: number;
  /** The name of the chat platform whose channel the target is. */
  platform: string | null;
  targetHost: string;
  target_url_sealed: Buffer;
  secret_sealed: Buffer;
  previous_secret_sealed: Buffer | null;
  rotated_at: number | null;
}

/** Takes subscriptions for jobs that begin at about the same time: they share statements. */
export interface Fence {
  /**
   * Takes a subscription, if it has something to send and nobody holds it. Whoever held it before can commit nothing from here on.
   * @returns undefined where it is not to be had
   */
  take(id: number): Promise<Taken | undefined>;
}

/** Most subscriptions in one statement. */
const batch = 100;

export function createFence(database: Database, clock: Clock): Fence {
  return { take: gather(batch, (ids) => takeAll(database, ids, clock.now())) };
}

async function takeAll(
  database: Database,
  ids: readonly number[],
  now: number,
): Promise<(Taken | undefined)[]> {
  const { rows }: { rows: Taken[] } = await database.raw(
    `update webhook_subscriptions s set generation = s.generation + 1,
       lease_until = clock_timestamp() + interval '${leaseMs} ms'
     from webhook_filters f, webhook_cycles c
     where s.id in (
         -- Of two that take the same ones neither waits, nor do both: each gets those that it reached first.
         select id from webhook_subscriptions where id = any(:ids) for no key update skip locked)
       and c.id = 1 and f.id = s.filter_id and ${due}
     returning s.id, s.generation, s.cursor_seq as "cursorSeq", f.head_seq as "headSeq", f.capper_id as "capperId", f.sport, c.cycle,
       case when s.cycle = c.cycle then s.cycle_sent else 0 end as sent, s.consecutive_failures as strikes, s.platform,
       s.target_host as "targetHost", s.target_url_sealed, s.secret_sealed, s.previous_secret_sealed, s.rotated_at`,
    { ids, now: new Date(now) },
  );
  const taken = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = taken.get(id);
    // To one of those who asked for it.
    taken.delete(id);
    return row;
  });
}
