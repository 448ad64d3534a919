import { setTimeout as sleep } from 'node:timers/promises';
import { type Job as BullJob, Worker } from 'bullmq';
import type { Registry } from 'prom-client';
import type { Logger } from '../../platform/logger.ts';
import type { RedisClient } from '../../platform/redis.ts';
import type { QueueName } from '../job.ts';
import { type Enqueue, queuePrefix } from './enqueue.ts';
import type { Fallback } from './fallback.ts';
import type { Handler } from './handlers.ts';
import { failureLog, performer } from './perform.ts';
import type { RedisProbe } from './redis-probe.ts';

export type RunningWorker = ReturnType<typeof startWorker>;

export interface WorkerDeps {
  /** A connection whose commands wait while Redis is down. BullMQ duplicates it for blocking reads. */
  redis: RedisClient;
  enqueue: Enqueue;
  log: Logger;
  /** Runs jobs that Redis does not deliver. Default: nobody does. */
  fallback?: Fallback;
  probe?: RedisProbe;
  metrics?: Registry;
}

/** Expiry of a job's lock in Redis, and the interval at which workers look for jobs with expired locks, in ms. */
const lockMs = 10_000;
const stalledMs = 10_000;

/** Longest blocking read for a job, in seconds. An added job ends it early. */
const waitSeconds = 30;

/** Delay before a worker reads again after a connection error, in ms. */
const retryMs = 1000;

/** Stalls before a job fails. Generous, because a killed process is not the job's fault. */
const maxStalled = 10;

/**
 * How long a worker keeps polling after Redis was unavailable, in ms. A job that was running blocks the next equal one until the second
 * scan after its lock expires. A worker whose wake-up was lost blocks for its full read.
 */
const settleMs = Math.max(lockMs + stalledMs, 1000 * waitSeconds) + 5000;

/** Delay after Redis refuses a command, in ms. BullMQ would retry at once on a replica or without memory. */
const refusedMs = 500;

/** Pauses after a refusal by Redis. */
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

/**
 * @param handlers one for each job of the queue
 * @param concurrency jobs run at once in this process. BullMQ fetches that many one by one before it starts the first
 */
export function startWorker(
  queue: QueueName,
  handlers: readonly Handler[],
  { redis, enqueue, log, fallback, probe, metrics }: WorkerDeps,
  concurrency = 1,
) {
  const performing = performer(handlers, metrics);
  const logFailure = failureLog(log);
  fallback?.bind(queue, performing, concurrency);
  const worker = new PacedWorker(queue, (job: BullJob, token?: string) => performing.perform(job, token), {
    connection: redis,
    prefix: queuePrefix(redis, queue),
    concurrency,
    lockDuration: lockMs,
    stalledInterval: stalledMs,
    drainDelay: waitSeconds,
    maxStalledCount: maxStalled,
    skipVersionCheck: true,
    runRetryDelay: retryMs,
  });
  worker.on('failed', (job, error) => logFailure(error, { job: job?.name, jobId: job?.id }));
  worker.on('stalled', (jobId) => log.warn({ jobId }, 'job stalled; a worker retries it'));
  worker.on('error', (error) => log.debug({ err: error.message }, 'worker'));
  const recurring = handlers.filter(({ recurs }) => recurs);
  /** Handlers that had work at the last check, so that their jobs were added. */
  const added = new Set<Handler>();
  const addIfDue = async (handler: Handler) => {
    const { job, due } = handler;
    // A failed check counts as work: the job then reports the error.
    if (!(await due().catch(() => true))) return void added.delete(handler);
    // Work left since the last check: BullMQ may have stopped taking jobs although Redis answers.
    if (job.pollMs !== undefined && added.has(handler) && !(await isPaused(enqueue, queue)))
      fallback?.take(job, {});
    added.add(handler);
    await enqueue.add(job, {});
  };
  const poll = async ({ job, due }: Handler) => {
    if (probe === undefined || probe.steadyForMs() >= settleMs) return;
    if (!(await due().catch(() => false))) return;
    if (probe.steady() && (await isPaused(enqueue, queue))) return;
    fallback?.take(job, {});
  };
  // One timer for all intervals, so that jobs due at the same time look for work in the same turn and can share a query.
  const intervals = recurring.flatMap(({ job }) =>
    [job.everyMs, job.pollMs].filter((ms) => ms !== undefined),
  );
  const stepMs = intervals.reduce(commonDivisor, 0);
  let steps = 0;
  const step = () => {
    steps += 1;
    const hasCome = (ms: number | undefined) => ms !== undefined && (steps * stepMs) % ms === 0;
    for (const handler of recurring) {
      if (hasCome(handler.job.everyMs)) void addIfDue(handler);
      if (hasCome(handler.job.pollMs)) void poll(handler);
    }
  };
  const timer = stepMs === 0 ? undefined : setInterval(step, stepMs);
  // The first jobs are added as soon as Redis answers.
  void redis.ping().then(
    () => recurring.forEach(({ job }) => void enqueue.add(job, {})),
    () => {},
  );
  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await worker.close();
    },
  };
}

function isPaused({ queues }: Enqueue, queue: QueueName): Promise<boolean> {
  return queues
    .get(queue)!
    .isPaused()
    .catch(() => false);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
