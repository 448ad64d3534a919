import { setTimeout as sleep } from 'node:timers/promises';
import type { Enqueue } from '../../jobs/runtime/enqueue.ts';
import { type Lane, laneJobs, maxPage } from '../../jobs/webhooks.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { beforeAll, type Due, findDue, nextDueMs } from './due.ts';

export interface FillDeps {
  database: Database;
  enqueue: Pick<Enqueue, 'addAll' | 'waiting'>;
  clock: Clock;
  /** Aborted when the process shuts down: no further page is added. */
  closing: AbortSignal;
}

/** What a fill found. */
export interface Filled {
  /** Subscriptions in the pages that it added. */
  due: number;
  pages: number;
  /** Milliseconds until it is worth another look within the cycle; null: not before the next one. */
  againMs: number | null;
}

/** Subscriptions found by one statement. Within so many, owners take turns. */
const chunk = 5_000;

/** Pages of one statement's finds at least, where there are few: they spread over all workers. */
const minPages = 32;

/** Pages that wait in a lane, before more are added. */
const maxWaiting = 50;

/** Milliseconds between looks at how many wait. */
const pollMs = 200;

/**
 * Milliseconds after which a lane in which something was found is looked at again: what a killed worker or an emptied Redis has left undone
 * of the cycle is found by that.
 */
export const busyMs = 5_000;

/**
 * Adds deliveries for all subscriptions of a lane that are due, a page at a time, as fast as workers take them: neither Redis nor this
 * process ever has more than a few thousand of them. Begins when no page waits, since those that wait would be found once more.
 */
export async function fillLane(deps: FillDeps, lane: Lane): Promise<Filled> {
  const { database, enqueue, clock } = deps;
  let found = 0;
  let pages = 0;
  let after = beforeAll;
  for (let room = 1; ; room = maxWaiting) {
    if (!(await untilFewerWait(deps, lane, room))) return { due: found, pages, againMs: busyMs };
    const due = await findDue(database, lane, after, chunk, clock.now());
    const ids = inTurns(due).map(({ id }) => id);
    const size = Math.min(maxPage, Math.ceil(ids.length / minPages));
    const payloads = [];
    for (let at = 0; at < ids.length; at += size)
      payloads.push({ subscriptionIds: ids.slice(at, at + size) });
    if (payloads.length > 0 && !(await enqueue.addAll(laneJobs[lane], payloads)))
      return { due: found, pages, againMs: busyMs };
    found += due.length;
    pages += payloads.length;
    if (due.length < chunk) break;
    after = due.at(-1)!;
  }
  return { due: found, pages, againMs: found > 0 ? busyMs : await nextDueMs(database, lane, clock.now()) };
}

/** @returns false when the process ends, or Redis is away */
async function untilFewerWait({ enqueue, closing }: FillDeps, lane: Lane, limit: number): Promise<boolean> {
  while (!closing.aborted) {
    const waiting = await enqueue.waiting(laneJobs[lane].queue);
    if (waiting === undefined) return false;
    if (waiting < limit) return true;
    await sleep(pollMs);
  }
  return false;
}

/** Owners take turns: the first subscription of each, then the second of each that has one, and so on. */
function inTurns(due: readonly Due[]): Due[] {
  const had = new Map<string, number>();
  return due
    .map((each) => {
      const turn = had.get(each.owner) ?? 0;
      had.set(each.owner, turn + 1);
      return { each, turn };
    })
    .sort((one, other) => one.turn - other.turn)
    .map(({ each }) => each);
}
