import { setTimeout as sleep } from 'node:timers/promises';
import { type Lane, laneJobs, laneNames, maxPage } from '../../jobs/declared.ts';
import type { Enqueue } from '../../jobs/runtime/enqueue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { behind, due, unfinished } from './lease.ts';

export interface FillDeps {
  database: Database;
  enqueue: Pick<Enqueue, 'addAll' | 'waiting'>;
  clock: Clock;
  /** Aborted when the process shuts down: no further page is added. */
  closing: AbortSignal;
}

export interface Filled {
  due: number;
  pages: number;
  /** Delay until another fill may find something in this cycle, in ms; null: not before the next cycle. */
  againMs: number | null;
}

/** Subscriptions found per statement. Owners take turns within them. */
const chunk = 5_000;

/** Minimum number of pages per statement, so that even a few subscriptions spread over all workers. */
const minPages = 32;

/** Waiting pages of a lane above which no more are added. */
const maxWaiting = 50;

const pollMs = 200;

/** Delay before a lane is filled again, in ms, to find work of this cycle that a killed worker or an emptied Redis left behind. */
export const busyMs = 5_000;

/**
 * Adds deliveries for every due subscription of a lane, page by page, as fast as workers take them. Neither Redis nor this process ever
 * holds more than a few thousand. Starts only when no page waits, because it would find those subscriptions again.
 */
export async function fillLane(deps: FillDeps, lane: Lane): Promise<Filled> {
  const { database, enqueue, clock } = deps;
  let found = 0;
  let pages = 0;
  let after = first;
  for (let room = 1; ; room = maxWaiting) {
    if (!(await untilFewerWait(deps, lane, room))) return { due: found, pages, againMs: busyMs };
    const next = await findBehind(database, lane, after, clock.now());
    const ids = inTurns(next.filter((each) => each.due)).map(({ id }) => id);
    const size = Math.min(maxPage, Math.ceil(ids.length / minPages));
    const payloads = [];
    for (let at = 0; at < ids.length; at += size)
      payloads.push({ subscriptionIds: ids.slice(at, at + size) });
    if (payloads.length > 0 && !(await enqueue.addAll(laneJobs[lane], payloads)))
      return { due: found, pages, againMs: busyMs };
    found += ids.length;
    pages += payloads.length;
    if (next.length < chunk) break;
    after = next.at(-1)!;
  }
  return { due: found, pages, againMs: found > 0 ? busyMs : await nextDueMs(database, lane, clock.now()) };
}

/** @returns false when the process shuts down or Redis is unavailable */
async function untilFewerWait({ enqueue, closing }: FillDeps, lane: Lane, limit: number): Promise<boolean> {
  while (!closing.aborted) {
    const waiting = await enqueue.waiting(laneJobs[lane].queue);
    if (waiting === undefined) return false;
    if (waiting < limit) return true;
    await sleep(pollMs);
  }
  return false;
}

/** Orders the first subscription of each owner before the second of any, and so on. */
function inTurns(found: readonly Found[]): Found[] {
  const counts = new Map<string, number>();
  return found
    .map((each) => {
      const turn = counts.get(each.owner) ?? 0;
      counts.set(each.owner, turn + 1);
      return { each, turn };
    })
    .sort((one, other) => one.turn - other.turn)
    .map(({ each }) => each);
}

/** SQL conditions for the subscriptions, `s`, of each lane. Each lane has an index on filter, cursor, and id. */
const inLane: Record<Lane, string> = {
  healthy: 's.platform is null and s.consecutive_failures = 0',
  slow: 's.platform is null and s.consecutive_failures > 0',
  chat: "s.platform <> 'push'",
  push: "s.platform = 'push'",
};

/** Returns the lanes with subscriptions that are behind. Each `limit` avoids reading every subscription of a lane. */
export async function lanesBehind(database: Database): Promise<Lane[]> {
  const exist = laneNames.map(
    (lane) => `exists (
      select from webhook_filters f cross join lateral (
        select from webhook_subscriptions s where s.filter_id = f.id and ${behind} and ${inLane[lane]} limit 1) s) as ${lane}`,
  );
  const { rows } = await database.raw(`select ${exist.join(', ')}`);
  return laneNames.filter((lane) => rows[0][lane]);
}

interface Position {
  filterId: number;
  cursorSeq: number;
  id: number;
}

interface Found extends Position {
  owner: string;
  due: boolean;
}

const first: Position = { filterId: 0, cursorSeq: 0, id: 0 };

/** The next {@link chunk} by filter, furthest behind first. Continuing after the last one misses none, even if cursors move meanwhile. */
async function findBehind(database: Database, lane: Lane, after: Position, now: number): Promise<Found[]> {
  const { rows }: { rows: Found[] } = await database.raw(
    `select s.id, s.filter_id as "filterId", s.cursor_seq as "cursorSeq", coalesce(lower(s.owner_email), s.client) as owner, ${due} as due
     from webhook_cycles c cross join webhook_filters f cross join lateral (
       select * from webhook_subscriptions s
       where s.filter_id = f.id and ${behind} and ${inLane[lane]}
         and (s.filter_id > :filterId or (s.cursor_seq, s.id) > (:cursorSeq, :id))
       order by s.cursor_seq, s.id limit :limit) s
     where c.id = 1 and f.id >= :filterId
     order by f.id, s.cursor_seq, s.id limit :limit`,
    { ...after, limit: chunk, now: new Date(now) },
  );
  return rows;
}

/** Within the current cycle: when a lease expires or a requested pause ends. @returns milliseconds from now; null if there is none */
async function nextDueMs(database: Database, lane: Lane, now: EpochMs): Promise<number | null> {
  const { rows }: { rows: { ms: number | null }[] } = await database.raw(
    `select (extract(epoch from min(greatest(
         s.lease_until - clock_timestamp(), s.retry_at - cast(:now as timestamptz), interval '0'))) * 1000)::float8 as ms
     from webhook_cycles c cross join webhook_filters f join webhook_subscriptions s on s.filter_id = f.id
     where c.id = 1 and ${behind} and ${inLane[lane]} and ${unfinished}`,
    { now: new Date(now) },
  );
  return rows[0]?.ms ?? null;
}
