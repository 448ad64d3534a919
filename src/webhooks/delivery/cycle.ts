import type { Lane } from '../../jobs/declared.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { announceEvents } from '../messages/events.ts';
import { matching } from '../subscriptions/filters.ts';
import { type Cycle, takeBackOwnFailures } from './failure-policy.ts';
import { lanesBehind } from './fill-lane.ts';

/** Length of a cycle (docs/rules/webhooks.md), in ms of the service's clock. */
export const cycleMs = 60_000;

/**
 * How many cycles behind the last one a worker's clock may be without starting a cycle: clocks of machines may differ by a minute. Beyond
 * that the clock was set back, and a cycle starts.
 */
const behindOthers = 2;

export interface CycleStart {
  cycle: number;
  /** Whether a cycle started, instead of the current one continuing. */
  began: boolean;
  /** Lanes with subscriptions that are behind, even if nothing may be sent to them now. */
  behind: Lane[];
  /** Failures of the last cycle that were uncounted because the service caused them. */
  takenBack: number;
}

/**
 * Begins a cycle if the service's clock has reached a new minute. The log is read only then, so events within a cycle are sent in the next
 * one.
 */
export async function beginCycle(database: Database, now: EpochMs): Promise<CycleStart> {
  const cycle = Math.floor(now / cycleMs);
  const last = await lastCycle(database);
  const began = isNew(cycle, last);
  let takenBack = 0;
  if (began) {
    if (last !== undefined) takenBack = await takeBackOwnFailures(database, last);
    await announceEvents(database, now);
    await begin(database, cycle, now);
  }
  return { cycle, began, behind: await lanesBehind(database), takenBack };
}

/** Returns a function that reports whether a cycle must begin. It asks the database until this minute's has begun. */
export function cycleDue(database: Database, clock: Clock): () => Promise<boolean> {
  let begun: number | undefined;
  return async () => {
    const cycle = Math.floor(clock.now() / cycleMs);
    if (cycle === begun) return false;
    const isDue = isNew(cycle, await lastCycle(database));
    if (!isDue) begun = cycle;
    return isDue;
  };
}

function isNew(cycle: number, last: Cycle | undefined): boolean {
  return last === undefined || cycle > last.cycle || cycle < last.cycle - behindOthers;
}

async function lastCycle(database: Database): Promise<Cycle | undefined> {
  const [last]: Cycle[] = await database('webhook_cycles').select({
    cycle: 'cycle',
    startedAt: 'started_at',
  });
  return last;
}

/** Idempotent, because two workers may start the same cycle at once. */
async function begin(database: Database, cycle: number, now: number): Promise<void> {
  const next = { cycle, started_at: new Date(now) };
  await database('webhook_cycles')
    .insert({ id: 1, ...next })
    .onConflict('id')
    .merge(next)
    .whereNotBetween('webhook_cycles.cycle', [cycle, cycle + behindOthers]);
}

/** Fills lanes again within a cycle, on request. */
export function startWake(fill: (lane: Lane) => void) {
  const lanes = new Map<Lane, { at: number; timer: NodeJS.Timeout }>();
  return {
    /** Wakes a lane once, in `ms` milliseconds. An earlier pending wake wins. */
    laneIn(lane: Lane, ms: number): void {
      const at = performance.now() + ms;
      const set = lanes.get(lane);
      if (set !== undefined && set.at <= at) return;
      clearTimeout(set?.timer);
      const timer = setTimeout(() => {
        lanes.delete(lane);
        fill(lane);
      }, Math.ceil(ms)).unref();
      lanes.set(lane, { at, timer });
    },
    stop(): void {
      for (const { timer } of lanes.values()) clearTimeout(timer);
    },
  };
}

interface FanoutHealth {
  /** When the last cycle began; null before the first. */
  lastCycleAt: EpochMs | null;
  /** When the oldest event that waits for a healthy subscription was announced; null if none waits. */
  oldestUndeliveredAt: EpochMs | null;
  subscribed: boolean;
}

/** Subscriptions furthest behind that are inspected. Most waiting subscriptions are alike, so more would not change the answer. */
const maxInspected = 100;

const furthestBehind = (lane: string) => `
  select s.cursor_seq from webhook_subscriptions s
  where s.filter_id = f.id and s.status = 'active' and s.cursor_seq <= f.head_seq
    and ${lane} and s.consecutive_failures = 0 and (s.retry_at is null or s.retry_at <= :now)
  order by s.cursor_seq limit 1`;

/** Measures the fanout. Events that a receiver postponed (Retry-After) or failed to accept do not count as waiting. */
export async function fanoutHealth(database: Database, now: EpochMs): Promise<FanoutHealth> {
  const { rows }: { rows: FanoutHealth[] } = await database.raw(
    `select
       (select started_at from webhook_cycles) as "lastCycleAt",
       exists (select from webhook_subscriptions where status = 'active') as subscribed,
       (select min(e.at) from (
          select f.*, s.cursor_seq from webhook_filters f cross join lateral (
            -- Each lane has its own index.
            (${furthestBehind('s.platform is null')}) union all (${furthestBehind("s.platform <> 'push'")})
            union all (${furthestBehind("s.platform = 'push'")})) s
          where f.head_seq >= 0 order by s.cursor_seq limit :maxInspected) f
        cross join lateral (
          select e.at from webhook_events e
          where e.seq >= f.cursor_seq and ${matching}
          order by e.seq limit 1) e) as "oldestUndeliveredAt"`,
    { now: new Date(now), maxInspected },
  );
  return rows[0]!;
}
