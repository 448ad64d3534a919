import { type JobsOptions, Queue } from 'bullmq';
import type { Static, TSchema } from 'typebox';
import { createBreaker } from '../../platform/breaker.ts';
import type { Logger } from '../../platform/logger.ts';
import { isCluster, type RedisClient } from '../../platform/redis.ts';
import { type Job, type QueueName, queueNames } from '../job.ts';

export type Enqueue = ReturnType<typeof openQueues>;

const day = 24 * 3600;

const bulk = 500;

/** Timeout for adding a job, and how long further jobs skip Redis after a failure, in ms. */
const waitMs = 300;
const skipMs = 500;

/** Returns the key prefix of a queue. In a cluster it is a hash tag: BullMQ's scripts need all keys of a queue in one slot. */
export function queuePrefix(redis: RedisClient, queue: QueueName): string {
  return isCluster(redis) ? `{${queue}}` : 'bull';
}

function optionsOf<S extends TSchema>(
  { attempts = 5, retryEveryMs, dedupKey }: Job<S>,
  payload: Static<S>,
  delayMs: number,
): JobsOptions {
  return {
    attempts,
    backoff:
      retryEveryMs === undefined
        ? { type: 'exponential', delay: 1000 }
        : { type: 'fixed', delay: retryEveryMs },
    removeOnComplete: { age: 3600, count: 500 },
    removeOnFail: { age: 7 * day, count: 1000 },
    ...(dedupKey === undefined
      ? {}
      : { deduplication: { id: dedupKey(payload), keepLastIfActive: delayMs === 0 } }),
    ...(delayMs > 0 ? { delay: delayMs } : {}),
  };
}

/** Opens queues for adding jobs. Closing them leaves the connection open. @param redis a connection that fails fast */
export function openQueues(redis: RedisClient, log: Logger, names: readonly QueueName[] = queueNames) {
  const queues = new Map(
    names.map((name) => {
      const queue = new Queue(name, {
        connection: redis,
        prefix: queuePrefix(redis, name),
        skipVersionCheck: true,
        skipWaitingForReady: true,
      });
      queue.on('error', (error) => log.debug({ err: error.message, queue: name }, 'queue'));
      return [name, queue] as const;
    }),
  );
  let failing = false;
  const breaker = createBreaker({
    timeoutMs: waitMs,
    openMs: skipMs,
    // Log once per outage.
    onFailure(error) {
      if (!failing)
        log.warn(
          { err: (error as Error).message },
          'cannot add jobs to Redis: workers find the work in PostgreSQL',
        );
      failing = true;
    },
  });
  const taken = async (adding: () => Promise<unknown>) => {
    const added = await breaker.attempt(async () => {
      await adding();
      return true;
    });
    if (added === true) failing = false;
    return added === true;
  };
  return {
    queues: queues as ReadonlyMap<QueueName, Queue>,
    /** Returns false while Redis is unavailable; the job's worker then finds the work in PostgreSQL. @param delayMs default 0 */
    add: <S extends TSchema>(
      job: Job<S>,
      payload: Static<S>,
      { delayMs = 0 }: { delayMs?: number } = {},
    ): Promise<boolean> =>
      taken(() => queues.get(job.queue)!.add(job.name, payload, optionsOf(job, payload, delayMs))),
    /** Adds jobs in the order of their payloads. Returns false if some may be missing. */
    async addAll<S extends TSchema>(job: Job<S>, payloads: readonly Static<S>[]): Promise<boolean> {
      for (let from = 0; from < payloads.length; from += bulk) {
        const jobs = payloads
          .slice(from, from + bulk)
          .map((data) => ({ name: job.name, data, opts: optionsOf(job, data, 0) }));
        if (!(await taken(() => queues.get(job.queue)!.addBulk(jobs)))) return false;
      }
      return true;
    },
    /** Returns the number of waiting jobs; undefined while Redis is unavailable. */
    waiting: (queue: QueueName): Promise<number | undefined> =>
      breaker.attempt(() => queues.get(queue)!.getWaitingCount()),
    /** Reports whether an operator paused the queue; undefined while Redis is unavailable. */
    isPaused: (queue: QueueName): Promise<boolean | undefined> =>
      breaker.attempt(() => queues.get(queue)!.isPaused()),
    async close(): Promise<void> {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
    },
  };
}
