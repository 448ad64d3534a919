import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Static, TSchema } from 'typebox';
import type { Logger } from '../../platform/logger.ts';
import { type Job, type QueueName, queueNames } from '../job.ts';

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
  /**
   * Adds many jobs of one kind at once, in the order of their payloads. False when some may be missing.
   */
  addAll<S extends TSchema>(job: Job<S>, payloads: readonly Static<S>[]): Promise<boolean>;
  /** The queues, for Bull Board and metrics. */
  queues: ReadonlyMap<QueueName, Queue>;
  close(): Promise<void>;
}

const day = 24 * 3600;

/** Jobs added with one command. */
const bulk = 500;

function optionsOf<S extends TSchema>(
  { attempts = 5, backoffMs = 1000, sameAs }: Job<S>,
  payload: Static<S>,
  delayMs: number,
): JobsOptions {
  return {
    attempts,
    backoff: { type: 'exponential', delay: backoffMs },
    removeOnComplete: { age: 3600, count: 500 },
    removeOnFail: { age: 7 * day, count: 1000 },
    ...(sameAs === undefined
      ? {}
      : { deduplication: { id: sameAs(payload), keepLastIfActive: delayMs === 0 } }),
    ...(delayMs > 0 ? { delay: delayMs } : {}),
  };
}

/** Opens the queues for adding over a connection that fails fast; closing them leaves the connection open. */
export function openQueues(redis: Redis, log: Logger): Enqueue {
  const queues = new Map(
    queueNames.map((name) => {
      const queue = new Queue(name, { connection: redis, skipVersionCheck: true, skipWaitingForReady: true });
      queue.on('error', (error) => log.debug({ err: error.message, queue: name }, 'queue'));
      return [name, queue] as const;
    }),
  );
  const attempt = async (name: string, adding: () => Promise<unknown>): Promise<boolean> => {
    try {
      await adding();
      return true;
    } catch (error) {
      log.warn(
        { err: (error as Error).message, job: name },
        'job not added: its worker will find the work itself',
      );
      return false;
    }
  };
  return {
    queues,
    add: (job, payload, { delayMs = 0 } = {}) =>
      attempt(job.name, () =>
        queues.get(job.queue)!.add(job.name, payload, optionsOf(job, payload, delayMs)),
      ),
    addAll: (job, payloads) =>
      attempt(job.name, async () => {
        for (let from = 0; from < payloads.length; from += bulk)
          await queues
            .get(job.queue)!
            .addBulk(
              payloads
                .slice(from, from + bulk)
                .map((data) => ({ name: job.name, data, opts: optionsOf(job, data, 0) })),
            );
      }),
    async close() {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
    },
  };
}
