import type { Lane } from '../../jobs/declared.ts';
import type { Database } from '../../platform/database.ts';
import { announceEvents } from '../messages/events.ts';
import { type Cycle, takeBackOwnFailures } from './failure-policy.ts';
import { lanesBehind } from './fill-lane.ts';

/** Length of a cycle (docs/rules/webhooks.md), in ms of the service's clock. */
export const cycleMs = 60_000;

/**
 * How many cycles behind the last one a worker's clock may be without starting a cycle: clocks of machines may differ by a minute. Beyond
 * that the clock was set back, and a cycle starts.
 */
const behindOthers = 2;

/** Result of {@link beginCycle}. */
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
 * Starts a cycle at each new minute of the service's clock, and reads the log. The log is read only then, so events within a cycle are sent
 * in the next one.
 * @param now epoch milliseconds
 */
export async function beginCycle(database: Database, now: number): Promise<CycleStart> {
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

/** Reports whether {@link beginCycle} has work: a cycle to start, or lanes to fill. */
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

/** Idempotent, because two workers may start the same cycle at once. */
async function begin(database: Database, cycle: number, now: number): Promise<void> {
  const next = { cycle, started_at: new Date(now) };
  await database('webhook_cycles')
    .insert({ id: 1, ...next })
    .onConflict('id')
    .merge(next)
    .whereNotBetween('webhook_cycles.cycle', [cycle, cycle + behindOthers]);
}
