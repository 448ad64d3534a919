import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Static, TSchema } from 'typebox';
import type { Logger } from '../logger.ts';
import { type Job, type QueueName, queueNames } from './job.ts';

export interface AddOptions {
  /** Milliseconds to wait before the job is due; default 0. */
  delayMs?: number;
}

/** Adds jobs to queues. */
export interface Enqueue {
  /**
   * Adds a job. Redis is disposable: when it is away this logs and returns false, and the job's worker finds the work by itself
   * once it is back.
   */
  add<S extends TSchema>(job: Job<S>, payload: Static<S>, options?: AddOptions): Promise<boolean>;
  /** The queues, for Bull Board and metrics. */
  queues: ReadonlyMap<QueueName, Queue>;
  close(): Promise<void>;
}

const day = 24 * 3600;

/** Opens the queues for adding over a connection that fails fast; closing them leaves the connection open. */
export function openQueues(redis: Redis, log: Logger): Enqueue {
  const queues = new Map(
    queueNames.map((name) => {
      const queue = new Queue(name, { connection: redis, skipVersionCheck: true, skipWaitingForReady: true });
      queue.on('error', (error) => log.debug({ err: error.message, queue: name }, 'queue'));
      return [name, queue] as const;
    }),
  );
  return {
    queues,
    async add(job, payload, { delayMs = 0 } = {}) {
      const { name, attempts = 5, backoffMs = 1000, sameAs } = job;
      try {
        await queues.get(job.queue)!.add(name, payload, {
          attempts,
          backoff: { type: 'exponential', delay: backoffMs },
          removeOnComplete: { age: 3600, count: 500 },
          removeOnFail: { age: 7 * day, count: 1000 },
          ...(sameAs === undefined
            ? {}
            : { deduplication: { id: sameAs(payload), keepLastIfActive: delayMs === 0 } }),
          ...(delayMs > 0 ? { delay: delayMs } : {}),
        });
        return true;
      } catch (error) {
        log.warn(
          { err: (error as Error).message, job: name },
          'job not added: its worker will find the work itself',
        );
        return false;
      }
    },
    async close() {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
    },
  };
}
