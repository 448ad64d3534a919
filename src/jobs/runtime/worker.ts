import { setTimeout as sleep } from 'node:timers/promises';
import { type Job as BullJob, Worker } from 'bullmq';
import type { Registry } from 'prom-client';
import type { Logger } from '../../platform/logger.ts';
import type { RedisClient } from '../../platform/redis.ts';
import type { QueueName } from '../job.ts';
import { type Enqueue, queuePrefix } from './enqueue.ts';
import type { Handler } from './handlers.ts';
import type { OwnWork } from './own-work.ts';
import { performer } from './perform.ts';
import type { Pulse } from './pulse.ts';

export interface RunningWorker {
  /** Takes no further job, waits for those under way, stops. */
  close(): Promise<void>;
}

export interface WorkerDeps {
  /** A connection that waits for Redis; BullMQ duplicates it for its blocking reads. */
  redis: RedisClient;
  enqueue: Enqueue;
  log: Logger;
  /** Does what Redis does not deliver. Default: nothing is done then. */
  own?: OwnWork;
  /** Says whether Redis delivers. */
  pulse?: Pulse;
  /** Where jobs are counted. */
  metrics?: Registry;
}

/** How long Redis keeps the lock of a killed process's job, and how often a worker looks for such a job, in milliseconds. */
const lockMs = 10_000;
const stalledMs = 10_000;

/** How long a worker waits for a job before it asks again, in seconds. A job that is added ends the wait. */
const waitSeconds = 30;

/** How long a worker waits after its connection broke, in milliseconds. */
const retryMs = 1000;

/** How often a job may stall before it fails: a killed process is no fault of the job. */
const maxStalled = 10;

/**
 * For so long after Redis was away a worker looks for work by itself, in milliseconds. A job that was being done then keeps the next of its
 * kind from beginning, until the second look after its lock is lost; and a worker whose wake-up went to a broken connection waits to the end.
 */
const settleMs = Math.max(lockMs + stalledMs, 1000 * waitSeconds) + 5000;

/** After a refusal of Redis, such as of a replica or for lack of memory, BullMQ would ask again at once. */
const refusedMs = 500;

/** A worker of BullMQ that pauses after a refusal. */
class PacedWorker extends Worker {
  protected override async moveToActive(token: string, name?: string) {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await sleep(refusedMs);
      throw error;
    }
  }
}

/** Jobs that one of BullMQ's workers does at once: it fetches that many one by one before it begins the first. */
const maxInWorker = 128;

/**
 * Starts taking a queue's jobs, and adds those that recur.
 * @param handlers one for each job of the queue
 * @param concurrency jobs done at once in this process
 */
export function startWorker(
  queue: QueueName,
  handlers: readonly Handler[],
  { redis, enqueue, log, own, pulse, metrics }: WorkerDeps,
  concurrency = 1,
): RunningWorker {
  const performing = performer(handlers, metrics);
  own?.bind(queue, performing, concurrency);
  const workers = shares(concurrency).map((share, index) => {
    const worker = new PacedWorker(queue, (job: BullJob, token?: string) => performing.perform(job, token), {
      connection: redis,
      prefix: queuePrefix(redis, queue),
      concurrency: share,
      lockDuration: lockMs,
      stalledInterval: stalledMs,
      // One of them looks for all.
      skipStalledCheck: index > 0,
      drainDelay: waitSeconds,
      maxStalledCount: maxStalled,
      skipVersionCheck: true,
      runRetryDelay: retryMs,
    });
    worker.on('failed', (job, error) =>
      log.error({ err: error, job: job?.name, jobId: job?.id }, 'job failed'),
    );
    worker.on('stalled', (jobId) => log.warn({ jobId }, 'job stalled; it is taken up again'));
    worker.on('error', (error) => log.debug({ err: error.message }, 'worker'));
    return worker;
  });
  const recurring = handlers.filter(({ recurs }) => recurs);
  /** Handlers whose work was due at the last look, so that their jobs were added. */
  const added = new Set<Handler>();
  const addIfDue = async (handler: Handler) => {
    const { job, due } = handler;
    // What cannot be looked at now is for the job to find out.
    if (!(await due().catch(() => true))) return void added.delete(handler);
    // Still due since the last look: BullMQ may have stopped taking jobs although Redis is well.
    if (job.pollMs !== undefined && added.has(handler) && !(await isPaused(enqueue, queue)))
      own?.take(job, {});
    added.add(handler);
    await enqueue.add(job, {});
  };
  const poll = async ({ job, due }: Handler) => {
    if (pulse === undefined || pulse.wellForMs() >= settleMs) return;
    if (!(await due().catch(() => false))) return;
    if (pulse.steady() && (await isPaused(enqueue, queue))) return;
    own?.take(job, {});
  };
  // One timer for all that come at multiples of an interval, so that they can share a look.
  const timersOf = (every: 'everyMs' | 'pollMs', call: (handler: Handler) => Promise<void>) =>
    turnsOf(
      recurring.filter(({ job }) => job[every] !== undefined),
      ({ job }) => job[every]!,
    ).map(({ ms, turns }) => {
      let count = 0;
      return setInterval(() => {
        count += 1;
        for (const { item, nth } of turns) if (count % nth === 0) void call(item);
      }, ms);
    });
  const timers = [...timersOf('everyMs', addIfDue), ...timersOf('pollMs', poll)];
  // The first ones are added as soon as Redis answers.
  void redis.ping().then(
    () => recurring.forEach(({ job }) => void enqueue.add(job, {})),
    () => {},
  );
  return {
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

/** Whether an operator has paused a queue. */
async function isPaused({ queues }: Enqueue, queue: QueueName): Promise<boolean> {
  return queues
    .get(queue)!
    .isPaused()
    .catch(() => false);
}

/** Splits the concurrency over workers, as evenly as possible. */
function shares(concurrency: number): number[] {
  const workers = Math.ceil(concurrency / maxInWorker);
  return Array.from({ length: workers }, (_, index) => Math.ceil((concurrency - index) / workers));
}

/** Groups what comes at intervals: each group has a shortest one, and the others come with every nth turn of it. */
function turnsOf<T>(
  items: readonly T[],
  msOf: (item: T) => number,
): { ms: number; turns: { item: T; nth: number }[] }[] {
  const groups: { ms: number; turns: { item: T; nth: number }[] }[] = [];
  for (const item of [...items].sort((a, b) => msOf(a) - msOf(b))) {
    const ms = msOf(item);
    const group = groups.find((each) => ms % each.ms === 0);
    if (group === undefined) groups.push({ ms, turns: [{ item, nth: 1 }] });
    else group.turns.push({ item, nth: ms / group.ms });
  }
  return groups;
}
