import type { Static, TSchema } from 'typebox';
import { createLimiter, type Limiter } from '../../platform/limiter.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Job, QueueName } from '../job.ts';
import type { Enqueue } from './enqueue.ts';
import type { Performer } from './perform.ts';

/**
 * Does jobs in this process while Redis does not deliver them. Unlike BullMQ it knows of no other process: two may do one job at once,
 * which the locks and claims in PostgreSQL make harmless, and jobs for which that is not so are left out (`alone`).
 */
export interface OwnWork {
  /** Takes on the jobs of a queue that this process has handlers for, `atOnce` of them at once. */
  bind(queue: QueueName, performer: Performer, atOnce: number): void;
  /**
   * Begins a job, or drops it where the same one waits already (`sameAs`).
   * @returns false where this process does not do such jobs
   */
  take<S extends TSchema>(job: Job<S>, payload: Static<S>): boolean;
  /** Jobs of a queue that wait here. */
  waiting(queue: QueueName): number;
  /** Takes no more, and waits for what runs. What waits is dropped: the work is found again in PostgreSQL. */
  close(): Promise<void>;
}

interface Bound {
  performer: Performer;
  limiter: Limiter;
  waiting: number;
}

export function createOwnWork(log: Logger): OwnWork {
  const queues = new Map<QueueName, Bound>();
  /** Of what is the same (`sameAs`), one runs and one waits. */
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
      log.error({ err: error, job: job.name }, 'job failed');
    }
  }

  return {
    bind(queue, performer, atOnce) {
      queues.set(queue, { performer, limiter: createLimiter(atOnce), waiting: 0 });
    },
    take(job, payload) {
      const bound = queues.get(job.queue);
      if (closed || bound === undefined || job.alone === true) return false;
      unnamed += 1;
      const same = `${job.name} ${job.sameAs?.(payload) ?? unnamed}`;
      if (waiting.has(same)) return true;
      waiting.add(same);
      const done = inTurn(bound, job as Job, payload, same).finally(() => running.delete(done));
      running.add(done);
      return true;
    },
    waiting: (queue) => queues.get(queue)?.waiting ?? 0,
    async close() {
      closed = true;
      await Promise.all(running);
    },
  };
}

/**
 * Adds jobs; those that Redis does not take and this process has a handler for are done here.
 * @param steady whether Redis delivers: while it does not, nobody waits for it
 */
export function withOwnWork(enqueue: Enqueue, own: OwnWork, steady: () => boolean): Enqueue {
  return {
    ...enqueue,
    // What is to be done later is planned again from PostgreSQL, or found due.
    async add(job, payload, options = {}) {
      const isNow = (options.delayMs ?? 0) === 0;
      if (!steady()) {
        if (isNow && own.take(job, payload)) return true;
        void enqueue.add(job, payload, options);
        return false;
      }
      return (await enqueue.add(job, payload, options)) || (isNow && own.take(job, payload));
    },
    async addAll(job, payloads) {
      if (steady() && (await enqueue.addAll(job, payloads))) return true;
      return payloads.every((payload) => own.take(job, payload));
    },
    waiting: async (queue) => ((await enqueue.waiting(queue)) ?? 0) + own.waiting(queue),
  };
}
