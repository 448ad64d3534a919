import type { Static } from 'typebox';
import type { Job } from '../../jobs/job.ts';
import type { Enqueue } from '../../jobs/runtime/enqueue.ts';
import { deliverChat, deliverHealthy, deliverSlow } from '../../jobs/webhooks.ts';
import type { Database } from '../../platform/database.ts';
import { announceEvents } from '../messages/events.ts';
import { type Cycle, takeBackOwnFailures } from './failure-policy.ts';
import type { Lane } from './lanes.ts';
import { due } from './lease-sql.ts';

/** The length of a cycle (docs/decisions/0020-webhook-delivery.md), in milliseconds of the service's clock. */
export const cycleMs = 60_000;

/** The jobs that deliver in each lane, in the order in which they are added. */
export const laneJobs: Readonly<Record<Lane, Job<(typeof deliverHealthy)['payload']>>> = {
  healthy: deliverHealthy,
  chat: deliverChat,
  slow: deliverSlow,
};

/** What a run of the fanout did. */
export type Fanout = {
  cycle: number;
  /** Whether it began a cycle, or looked at the current one again. */
  began: boolean;
  /** Idle subscriptions that have something to send. */
  due: number;
  /** Failures of the last cycle that were taken back, since they were our own. */
  takenBack: number;
};

/**
 * Begins a cycle when the minute of the service's clock is a new one: reads the log on, and adds a delivery for each subscription that
 * has something to send. The log is read at no other time, so what happens within a cycle is sent in the next one. Within a cycle it
 * adds deliveries that a killed worker or an emptied Redis has left out, in lanes where no job waits.
 * @param now epoch milliseconds
 */
export async function fanOut(
  { database, enqueue }: { database: Database; enqueue: Pick<Enqueue, 'addAll' | 'queues'> },
  now: number,
): Promise<Fanout> {
  const cycle = Math.floor(now / cycleMs);
  const last = await lastCycle(database);
  const began = last?.cycle !== cycle;
  let takenBack = 0;
  if (began) {
    if (last !== undefined) takenBack = await takeBackOwnFailures(database, last);
    await announceEvents(database, now);
    await begin(database, cycle, now);
  }
  const lanes = began ? allLanes : await idleLanes(enqueue);
  const found = await findDue(database, lanes, now);
  for (const lane of allLanes) {
    const payloads: Static<(typeof deliverHealthy)['payload']>[] = found
      .filter((subscription) => subscription.lane === lane)
      .map(({ id }) => ({ subscriptionId: id }));
    if (payloads.length > 0) await enqueue.addAll(laneJobs[lane], payloads);
  }
  if (began) await database('webhook_cycles').update({ subscriptions_due: found.length });
  return { cycle, began, due: found.length, takenBack };
}

const allLanes = Object.keys(laneJobs) as Lane[];

async function lastCycle(database: Database): Promise<Cycle | undefined> {
  const [last]: Cycle[] = await database('webhook_cycles').select({
    cycle: 'cycle',
    startedAt: 'started_at',
  });
  return last;
}

/** Any other number than the last one is a new cycle: a clock that was set back stops nothing. */
async function begin(database: Database, cycle: number, now: number): Promise<void> {
  const next = { cycle, started_at: new Date(now), subscriptions_due: 0 };
  await database('webhook_cycles')
    .insert({ id: 1, ...next })
    .onConflict('id')
    .merge(next)
    .whereNot('webhook_cycles.cycle', cycle);
}

/** Lanes in which no job waits. While Redis is away there are none. */
async function idleLanes({ queues }: Pick<Enqueue, 'queues'>): Promise<Lane[]> {
  const waiting = await Promise.all(
    allLanes.map((lane) =>
      queues
        .get(laneJobs[lane].queue)!
        .getWaitingCount()
        .catch(() => Number.POSITIVE_INFINITY),
    ),
  );
  return allLanes.filter((_, index) => waiting[index] === 0);
}

/**
 * Subscriptions that have something to send. For each filter only those that rest before its head are looked at (by the index on filter
 * and `resting_seq`): where nothing happened it costs a look at each filter, however many subscriptions there are.
 */
async function findDue(
  database: Database,
  lanes: readonly Lane[],
  now: number,
): Promise<{ id: number; lane: Lane }[]> {
  if (lanes.length === 0) return [];
  const { rows }: { rows: { id: number; lane: Lane }[] } = await database.raw(
    `select s.id, s.lane from webhook_filters f cross join webhook_cycles c cross join lateral (
       select s.id, case when s.platform is not null then 'chat' when s.consecutive_failures > 0 then 'slow' else 'healthy' end as lane
       from webhook_subscriptions s where s.filter_id = f.id and ${due}
       -- Kept apart, or the planner would read all subscriptions.
       offset 0) s
     where c.id = 1 and f.head_seq >= 0 and s.lane = any(:lanes)`,
    { lanes, now: new Date(now) },
  );
  return rows;
}
