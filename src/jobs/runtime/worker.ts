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

export type RunningWorker = ReturnType<typeof startWorker>;

export interface WorkerDeps {
  /** A connection whose commands wait while Redis is down. BullMQ duplicates it for blocking reads. */
  redis: RedisClient;
  enqueue: Enqueue;
  log: Logger;
  /** Runs due work that the worker finds. Default: it only adds jobs. */
  fallback?: Fallback;
  metrics?: Registry;
}

/** Expiry of a job's lock in Redis, and the interval at which workers look for jobs with expired locks, in ms. */
const lockMs = 10_000;
const stalledMs = 10_000;

/** Longest blocking read for a job, in seconds. An added job ends it early. */
const waitSeconds = 30;

/** Delay before a worker reads again after a connection error, in ms. */
const retryMs = 1000;

/**
 * Interval at which a worker looks for work that no job brought, in ms, and the shorter one for a while after it found some. Without Redis,
 * an event passes two or three workers on its way to a board.
 */
const pollMs = 1000;
const busyPollMs = 250;
const busyForMs = 5_000;

/** Stalls before a job fails. Generous, because a killed process is not the job's fault. */
const maxStalled = 10;

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
  { redis, enqueue, log, fallback, metrics }: WorkerDeps,
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
  const addIfDue = async ({ job, due }: Handler) => {
    // A failed check counts as work: the job then reports the error.
    if (await due().catch(() => true)) await enqueue.add(job, {});
  };
  let foundAt = Number.NEGATIVE_INFINITY;
  const runIfDue = async ({ job, due }: Handler) => {
    if (performing.isRunning(job) || !(await due().catch(() => false))) return;
    foundAt = performance.now();
    if ((await enqueue.isPaused(queue)) !== true && !performing.isRunning(job)) fallback?.take(job, {});
  };
  const timers = recurring.map((handler) => setInterval(() => void addIfDue(handler), handler.job.everyMs));
  const polled = recurring.filter(({ job }) => job.polled === true);
  let polling: NodeJS.Timeout | undefined;
  let closing = false;
  const poll = async () => {
    // In the same turn, so that handlers can share a query.
    await Promise.all(polled.map(runIfDue));
    const isBusy = performance.now() - foundAt < busyForMs;
    if (!closing) polling = setTimeout(poll, isBusy ? busyPollMs : pollMs);
  };
  if (polled.length > 0) void poll();
  const addFirst = async () => {
    await redis.ping().catch(() => {});
    // Jobs are added over another connection, which may open later.
    while (!closing && (await enqueue.isPaused(queue)) === undefined)
      await sleep(busyPollMs, undefined, { ref: false });
    for (const { job } of recurring) if (!closing) await enqueue.add(job, {});
  };
  void addFirst();
  return {
    async close(): Promise<void> {
      closing = true;
      clearTimeout(polling);
      for (const timer of timers) clearInterval(timer);
      await worker.close();
    },
  };
}
