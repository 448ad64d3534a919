import { type Job as BullJob, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import type { Logger } from '../../platform/logger.ts';
import type { QueueName } from '../job.ts';
import type { Enqueue } from './enqueue.ts';
import type { Handler } from './handlers.ts';
import { performer } from './perform.ts';

export interface RunningWorker {
  /** Takes no further job, waits for those under way, stops. */
  close(): Promise<void>;
}

export interface WorkerDeps {
  /** A connection that waits for Redis; BullMQ duplicates it for its blocking reads. */
  redis: Redis;
  enqueue: Enqueue;
  log: Logger;
  /** Where jobs are counted. */
  metrics?: Registry;
}

/** How long Redis keeps the lock of a killed process's job, and how often it looks for one, in milliseconds. */
const lockMs = 10_000;
const stalledMs = 5_000;

/** How long a worker waits for a job before it asks again, in seconds. A job that is added ends the wait. */
const waitSeconds = 30;

/** How often a job may stall before it fails: a killed process is no fault of the job. */
const maxStalled = 10;

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
  { redis, enqueue, log, metrics }: WorkerDeps,
  concurrency = 1,
): RunningWorker {
  const perform = performer(handlers, metrics);
  const workers = shares(concurrency).map((share, index) => {
    const worker = new Worker(queue, (job: BullJob, token?: string) => perform(job, token), {
      connection: redis,
      concurrency: share,
      lockDuration: lockMs,
      stalledInterval: stalledMs,
      // One of them looks for all.
      skipStalledCheck: index > 0,
      drainDelay: waitSeconds,
      maxStalledCount: maxStalled,
      skipVersionCheck: true,
    });
    worker.on('failed', (job, error) =>
      log.error({ err: error, job: job?.name, jobId: job?.id }, 'job failed'),
    );
    worker.on('stalled', (jobId) => log.warn({ jobId }, 'job stalled; it is taken up again'));
    worker.on('error', (error) => log.debug({ err: error.message }, 'worker'));
    return worker;
  });
  const recurring = handlers.filter(({ recurs }) => recurs);
  const addIfDue = async ({ job, due }: Handler) => {
    // What cannot be looked at now is for the job to find out.
    if (await due().catch(() => true)) await enqueue.add(job, {});
  };
  const timers = recurring.map((handler) => setInterval(() => void addIfDue(handler), handler.job.everyMs));
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

/** Splits the concurrency over workers, as evenly as possible. */
function shares(concurrency: number): number[] {
  const workers = Math.ceil(concurrency / maxInWorker);
  return Array.from({ length: workers }, (_, index) => Math.ceil((concurrency - index) / workers));
}
