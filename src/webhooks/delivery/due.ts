import { type Lane, laneNames } from '../../jobs/webhooks.ts';
import type { Database } from '../../platform/database.ts';

/** Events that a subscription is sent in one cycle at most. */
export const maxEvents = 50;

/** Whether a subscription, `s`, is behind its filter, `f`. */
const behind = `s.status = 'active' and s.cursor_seq <= f.head_seq`;

/** Whether the current cycle, `c`, may send it something more. */
const open = `(s.cycle <> c.cycle or (not s.cycle_over and s.cycle_sent < ${maxEvents}))`;

/** Whether a subscription, `s`, may be claimed now (`:now`, the service's clock) in the current cycle, `c`, for its filter, `f`. */
export const due = `
  ${behind} and ${open}
  and (s.lease_until is null or s.lease_until <= clock_timestamp())
  -- No receiver may ask for more than an hour: what lies further ahead is a clock that was set back.
  and (s.retry_at is null or s.retry_at <= :now or s.retry_at > cast(:now as timestamptz) + interval '1 hour')`;

/** Which subscriptions belong to a lane. Each has an index of its own, on filter, cursor, and id. */
const inLane: Record<Lane, string> = {
  healthy: 's.platform is null and s.consecutive_failures = 0',
  slow: 's.platform is null and s.consecutive_failures > 0',
  chat: 's.platform is not null',
};

/** Lanes with subscriptions that are behind. It costs a look at each filter for each lane, however many subscriptions there are. */
export async function lanesBehind(database: Database): Promise<Lane[]> {
  const { rows } = await database.raw(
    `select ${laneNames
      .map(
        (lane) => `exists (select from webhook_filters f cross join lateral (
          select from webhook_subscriptions s where s.filter_id = f.id and ${behind} and ${inLane[lane]} limit 1) s
        where f.head_seq >= 0) as ${lane}`,
      )
      .join(', ')}`,
  );
  return laneNames.filter((lane) => rows[0][lane]);
}

/** A subscription that is due, and its place in the order in which they are found. */
export interface Due {
  id: number;
  filterId: number;
  cursorSeq: number;
  /** Who subscribed. */
  owner: string;
}

/** The place before all others. */
export const beforeAll: Pick<Due, 'id' | 'filterId' | 'cursorSeq'> = { id: 0, filterId: 0, cursorSeq: -1 };

/**
 * Finds the next subscriptions of a lane that are due: filter by filter, in each those first that are furthest behind. What was found once
 * and has been sent its events since has left the order, so reading on from the last one misses none.
 * @param after where the last ones ended
 * @param now epoch milliseconds
 */
export async function findDue(
  database: Database,
  lane: Lane,
  { filterId, cursorSeq, id }: Pick<Due, 'id' | 'filterId' | 'cursorSeq'>,
  limit: number,
  now: number,
): Promise<Due[]> {
  return database.transaction(async (transaction) => {
    // The index gives the order. The planner takes few to be due, and would sort all of them for each page.
    await transaction.raw('set local enable_sort = off');
    await transaction.raw('set local enable_bitmapscan = off');
    const { rows }: { rows: Due[] } = await transaction.raw(
      `select s.id, s.filter_id as "filterId", s.cursor_seq as "cursorSeq", s.owner
     from webhook_cycles c
     cross join (select id, head_seq from webhook_filters where id >= :filterId and head_seq >= 0 order by id offset 0) f
     cross join lateral (
       select s.id, s.filter_id, s.cursor_seq, lower(s.owner_email) as owner from webhook_subscriptions s
       where s.filter_id = f.id and ${inLane[lane]} and ${due}
         and (s.cursor_seq, s.id) > (
           case when f.id = :filterId then cast(:cursorSeq as bigint) else -1 end,
           case when f.id = :filterId then cast(:id as int) else 0 end)
       order by s.cursor_seq, s.id limit :limit) s
     where c.id = 1
     -- In the order of the nested loop.
     limit :limit`,
      { filterId, cursorSeq, id, limit, now: new Date(now) },
    );
    return rows;
  });
}

/**
 * When a subscription of a lane that is behind, and not due, may become due within the current cycle: a lease ends, or a pause that its
 * receiver asked for.
 * @param now epoch milliseconds
 * @returns milliseconds from now; null where there is none
 */
export async function nextDueMs(database: Database, lane: Lane, now: number): Promise<number | null> {
  const { rows }: { rows: { ms: number | null }[] } = await database.raw(
    `select (extract(epoch from min(greatest(
         s.lease_until - clock_timestamp(), s.retry_at - cast(:now as timestamptz), interval '0'))) * 1000)::float8 as ms
     from webhook_filters f cross join webhook_cycles c cross join lateral (
       select s.lease_until, s.retry_at from webhook_subscriptions s
       where s.filter_id = f.id and ${inLane[lane]} and ${behind} and ${open} offset 0) s
     where c.id = 1 and f.head_seq >= 0`,
    { now: new Date(now) },
  );
  return rows[0]?.ms ?? null;
}
