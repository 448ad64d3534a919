import type { Static, TSchema } from 'typebox';
import { createLimiter, type Limiter } from '../../platform/limiter.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Job, QueueName } from '../job.ts';
import type { Enqueue } from './enqueue.ts';
import { failureLog, type Performer } from './perform.ts';

/**
 * Runs jobs in this process while Redis does not deliver them. Two processes may run the same job: locks and claims in PostgreSQL make that
 * harmless, and jobs marked `exclusive` are excluded.
 */
export type Fallback = ReturnType<typeof createFallback>;

interface Bound {
  performer: Performer;
  limiter: Limiter;
  waiting: number;
}

export function createFallback(log: Logger) {
  const logFailure = failureLog(log);
  const queues = new Map<QueueName, Bound>();
  /** Deduplication keys of waiting jobs. Of equal jobs, one runs and one waits. */
  const waiting = new Set<string>();
  const active = new Map<string, Promise<void>>();
  const running = new Set<Promise<void>>();
  let unnamed = 0;
  let closed = false;

  async function inTurn(bound: Bound, job: Job, payload: unknown, same: string): Promise<void> {
    bound.waiting += 1;
    await active.get(same);
    await bound.limiter.acquire();
    bound.waiting -= 1;
    waiting.delete(same);
    const done = perform(bound, job, payload).finally(() => {
      active.delete(same);
      bound.limiter.release();
    });
    active.set(same, done);
    await done;
  }

  async function perform({ performer }: Bound, job: Job, payload: unknown): Promise<void> {
    if (closed) return;
    try {
      await performer.run(job.name, payload);
    } catch (error) {
      logFailure(error as Error, { job: job.name });
    }
  }

  return {
    /** Accepts the jobs of a queue, up to `concurrency` of them at once. */
    bind(queue: QueueName, performer: Performer, concurrency: number): void {
      queues.set(queue, { performer, limiter: createLimiter(concurrency), waiting: 0 });
    },
    /**
     * Starts a job, or drops it if an equal one is waiting.
     * @returns false if this process does not run such jobs
     */
    take<S extends TSchema>(job: Job<S>, payload: Static<S>): boolean {
      const bound = queues.get(job.queue);
      if (closed || bound === undefined || job.exclusive === true) return false;
      unnamed += 1;
      const same = `${job.name} ${job.dedupKey?.(payload) ?? unnamed}`;
      if (waiting.has(same)) return true;
      waiting.add(same);
      const done = inTurn(bound, job as Job, payload, same).finally(() => running.delete(done));
      running.add(done);
      return true;
    },
    waiting: (queue: QueueName) => queues.get(queue)?.waiting ?? 0,
    /** Stops taking jobs, waits for running ones, and drops waiting ones: PostgreSQL still has their work. */
    async close(): Promise<void> {
      closed = true;
      await Promise.all(running);
    },
  };
}

/**
 * Adds jobs to Redis, or runs those that Redis does not accept in this process if it has a handler.
 * @param steady reports whether Redis delivers jobs; if not, callers do not wait for it
 */
export function withFallback(enqueue: Enqueue, fallback: Fallback, steady: () => boolean): Enqueue {
  return {
    ...enqueue,
    // Delayed jobs need no fallback: they are planned again from PostgreSQL, or found due.
    async add(job, payload, options = {}) {
      const isNow = (options.delayMs ?? 0) === 0;
      if (!steady()) {
        if (isNow && fallback.take(job, payload)) return true;
        void enqueue.add(job, payload, options);
        return false;
      }
      return (await enqueue.add(job, payload, options)) || (isNow && fallback.take(job, payload));
    },
    async addAll(job, payloads) {
      if (steady() && (await enqueue.addAll(job, payloads))) return true;
      return payloads.every((payload) => fallback.take(job, payload));
    },
    waiting: async (queue) => ((await enqueue.waiting(queue)) ?? 0) + fallback.waiting(queue),
  };
}
