import { type JobsOptions, Queue } from 'bullmq';
import type { Static, TSchema } from 'typebox';
import { createBreaker } from '../../platform/breaker.ts';
import type { Logger } from '../../platform/logger.ts';
import { isCluster, type RedisClient } from '../../platform/redis.ts';
import { type Job, type QueueName, queueNames } from '../job.ts';

export interface AddOptions {
  /** Milliseconds to wait before the job is due; default 0. */
  delayMs?: number;
}

/** Adds jobs to queues. */
export interface Enqueue {
  /**
   * Adds a job. Redis is disposable: when it is away this logs and returns false, and the job's worker finds the work by itself.
   */
  add<S extends TSchema>(job: Job<S>, payload: Static<S>, options?: AddOptions): Promise<boolean>;
  /**
   * Adds many jobs of one kind at once, in the order of their payloads. False when some may be missing.
   */
  addAll<S extends TSchema>(job: Job<S>, payloads: readonly Static<S>[]): Promise<boolean>;
  /** How many jobs wait in a queue; undefined while Redis is away. */
  waiting(queue: QueueName): Promise<number | undefined>;
  /** The queues, for Bull Board and metrics. */
  queues: ReadonlyMap<QueueName, Queue>;
  close(): Promise<void>;
}

const day = 24 * 3600;

/** Jobs added with one command. */
const bulk = 500;

/** Nobody waits longer for Redis to take a job, and for a while after a refusal nobody waits at all. */
const waitMs = 1000;
const skipMs = 500;

/** Jobs that are kept for another try at most. */
const maxMissed = 1000;

/** How often jobs that Redis did not take are tried again, in milliseconds. */
const againMs = 1000;

/** The first part of the keys of a queue. In a cluster all keys of a queue are in one slot, since scripts change several. */
export function queuePrefix(redis: RedisClient, queue: QueueName): string {
  return isCluster(redis) ? `{${queue}}` : 'bull';
}

function optionsOf<S extends TSchema>(
  { attempts = 5, retryEveryMs, sameAs }: Job<S>,
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
    ...(sameAs === undefined
      ? {}
      : { deduplication: { id: sameAs(payload), keepLastIfActive: delayMs === 0 } }),
    ...(delayMs > 0 ? { delay: delayMs } : {}),
  };
}

/** Opens the queues for adding over a connection that fails fast; closing them leaves the connection open. */
export function openQueues(redis: RedisClient, log: Logger): Enqueue {
  const queues = new Map(
    queueNames.map((name) => {
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
    // Once for each outage.
    onFailure(error) {
      if (!failing)
        log.warn(
          { err: (error as Error).message },
          'jobs not added: their workers will find the work themselves',
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
  /** By what makes two the same: there are only so many. Workers whose Redis is well all the while look for nothing by themselves. */
  const missed = new Map<string, () => Promise<unknown>>();
  let again: NodeJS.Timeout | undefined;
  const tryAgain = async () => {
    again = undefined;
    for (const [same, adding] of missed) {
      if (!(await taken(adding))) break;
      missed.delete(same);
    }
    if (missed.size > 0) again ??= setTimeout(() => void tryAgain(), againMs).unref();
  };
  return {
    queues,
    async add(job, payload, { delayMs = 0 } = {}) {
      const adding = () => queues.get(job.queue)!.add(job.name, payload, optionsOf(job, payload, delayMs));
      if (await taken(adding)) return true;
      if (job.sameAs !== undefined && delayMs === 0 && missed.size < maxMissed) {
        missed.set(`${job.name} ${job.sameAs(payload)}`, adding);
        again ??= setTimeout(() => void tryAgain(), againMs).unref();
      }
      return false;
    },
    async addAll(job, payloads) {
      for (let from = 0; from < payloads.length; from += bulk) {
        const jobs = payloads
          .slice(from, from + bulk)
          .map((data) => ({ name: job.name, data, opts: optionsOf(job, data, 0) }));
        if (!(await taken(() => queues.get(job.queue)!.addBulk(jobs)))) return false;
      }
      return true;
    },
    waiting: (queue) => breaker.attempt(() => queues.get(queue)!.getWaitingCount()),
    async close() {
      clearTimeout(again);
      missed.clear();
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
    },
  };
}
