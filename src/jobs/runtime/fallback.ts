import type { Static, TSchema } from 'typebox';
import { createLimiter, type Limiter } from '../../platform/limiter.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Job, QueueName } from '../job.ts';
import type { Enqueue } from './enqueue.ts';
import { failureLog, type Performer } from './perform.ts';

/**
 * Runs jobs in this process without Redis: the work that a worker's timer finds, and jobs that Redis does not accept. Two processes may run
 * the same job: locks and claims in PostgreSQL make that harmless, and jobs marked `exclusive` are excluded.
 */
export type Fallback = ReturnType<typeof createFallback>;

export function createFallback(log: Logger) {
  const logFailure = failureLog(log);
  const queues = new Map<QueueName, { performer: Performer; limiter: Limiter; waiting: number }>();
  /** Of equal jobs, one runs and one waits. By name and deduplication key. */
  const waiting = new Set<string>();
  const done = new Map<string, Promise<void>>();
  let unnamed = 0;
  let closed = false;
  return {
    /** Accepts the jobs of a queue, up to `concurrency` of them at once. */
    bind(queue: QueueName, performer: Performer, concurrency: number): void {
      queues.set(queue, { performer, limiter: createLimiter(concurrency), waiting: 0 });
    },
    /** Drops the job if an equal one is waiting. @returns false if this process does not run such jobs */
    take<S extends TSchema>(job: Job<S>, payload: Static<S>): boolean {
      const bound = queues.get(job.queue);
      if (closed || bound === undefined || job.exclusive === true) return false;
      unnamed += 1;
      const same = `${job.name} ${job.dedupKey?.(payload) ?? unnamed}`;
      if (waiting.has(same)) return true;
      waiting.add(same);
      bound.waiting += 1;
      const before = done.get(same);
      const run = async () => {
        await before;
        await bound.limiter.run(async () => {
          bound.waiting -= 1;
          waiting.delete(same);
          if (closed) return;
          try {
            const outcome = await bound.performer.run(job.name, payload);
            if (outcome.outcome === 'failed') throw new Error(outcome.reason);
          } catch (error) {
            logFailure(error as Error, { job: job.name });
          }
        });
        if (!waiting.has(same)) done.delete(same);
      };
      done.set(same, run());
      return true;
    },
    waiting: (queue: QueueName) => queues.get(queue)?.waiting ?? 0,
    /** Stops taking jobs, waits for running ones, and drops waiting ones: PostgreSQL still has their work. */
    async close(): Promise<void> {
      closed = true;
      await Promise.all(done.values());
    },
  };
}

/** Runs in this process jobs that Redis does not accept. */
export function withFallback(enqueue: Enqueue, fallback: Fallback): Enqueue {
  return {
    ...enqueue,
    async add(job, payload, options = {}) {
      if (await enqueue.add(job, payload, options)) return true;
      // Delayed jobs need no fallback: they are planned again from PostgreSQL, or found due.
      return (options.delayMs ?? 0) === 0 && fallback.take(job, payload);
    },
    async addAll(job, payloads) {
      if (await enqueue.addAll(job, payloads)) return true;
      return payloads.every((payload) => fallback.take(job, payload));
    },
    waiting: async (queue) => ((await enqueue.waiting(queue)) ?? 0) + fallback.waiting(queue),
  };
}
