import type { Lane } from '../../jobs/webhooks.ts';
import type { Database } from '../../platform/database.ts';
import { announceEvents } from '../messages/events.ts';
import { type Cycle, takeBackOwnFailures } from './failure-policy.ts';
import { lanesBehind } from './fill-lane.ts';

/** The length of a cycle (docs/rules/webhooks.md), in milliseconds of the service's clock. */
export const cycleMs = 60_000;

/**
 * How far behind the last cycle a number may be and begin none, since it comes from another machine, whose clock may differ by a minute. One
 * that is further behind begins a cycle: the clock was set back, which stops nothing.
 */
const behindOthers = 2;

/** What a look at the clock led to. */
export interface CycleLook {
  cycle: number;
  /** Whether it began a cycle, or the current one goes on. */
  began: boolean;
  /** Lanes with subscriptions that are behind, whether they may be sent something now or not. */
  behind: Lane[];
  /** Failures of the last cycle that were taken back, since they were our own. */
  takenBack: number;
}

/**
 * Begins a cycle when the minute of the service's clock is a new one, and reads the log on. The log is read at no other time, so what
 * happens within a cycle is sent in the next one.
 * @param now epoch milliseconds
 */
export async function beginCycle(database: Database, now: number): Promise<CycleLook> {
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

/** Whether {@link beginCycle} has anything to do: a cycle to begin, or lanes to have filled. */
export async function cycleDue(database: Database, now: number): Promise<boolean> {
  const last = await lastCycle(database);
  return isNew(Math.floor(now / cycleMs), last) || (await lanesBehind(database)).length > 0;
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

/** Two workers may begin a cycle at once: the second changes nothing. */
async function begin(database: Database, cycle: number, now: number): Promise<void> {
  const next = { cycle, started_at: new Date(now) };
  await database('webhook_cycles')
    .insert({ id: 1, ...next })
    .onConflict('id')
    .merge(next)
    .whereNotBetween('webhook_cycles.cycle', [cycle, cycle + behindOthers]);
}
