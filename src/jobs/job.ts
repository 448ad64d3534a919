import type { Static, TSchema } from 'typebox';
import { Type } from '../platform/type.ts';

/** The queues: one per worker, and one more for each lane of webhook deliveries. Names are on the wire and never change. */
export const queueNames = [
  'ingest',
  'sealing',
  'grading',
  'boards',
  'webhooks',
  'webhooks-healthy',
  'webhooks-slow',
  'webhooks-push',
  'webhooks-chat',
  'status',
] as const;
export type QueueName = (typeof queueNames)[number];

/** Declares a job. Its handler is bound elsewhere, in the room that does the work. */
export interface Job<S extends TSchema = TSchema> {
  /** Unique among all jobs, and on the wire. */
  name: string;
  queue: QueueName;
  /** One sentence for operators. */
  about: string;
  payload: S;
  /**
   * Returns the key that makes two jobs equal. While one waits, further equal jobs are dropped. While one runs, one more is kept to run
   * after it, so that nothing added during the run is missed.
   */
  dedupKey?: (payload: Static<S>) => string;
  /** Maximum number of attempts, after which the job stays failed. Default 5. */
  attempts?: number;
  /** Fixed delay between attempts, in ms. Default: exponential, starting at 1 s. */
  retryEveryMs?: number;
  /**
   * Interval at which the worker adds the job, in ms, to find work that Redis lost. Code that creates work adds the job at once, so this
   * does not bound latency. An idle run costs about 50 Redis commands; `due` in the handler avoids it.
   */
  everyMs?: number;
  /**
   * Set if the worker itself finds due work and runs it, without a job, so that Redis never delays a ledger write (docs/operations.md#redis).
   * Needs {@link everyMs}, and `due` in the handler.
   */
  polled?: true;
  /** Set if concurrent runs do harm, such as polling a provider twice. Only Redis prevents them, so the job does not run without Redis. */
  exclusive?: true;
}

const noPayload = Type.Object({});

/** Without a payload, all jobs of its name are equal. */
export function job<S extends TSchema>(declaration: Job<S>): Job<S>;
export function job(declaration: Omit<Job, 'payload' | 'dedupKey'>): Job<typeof noPayload>;
export function job(declaration: Omit<Job, 'payload'>): Job {
  return {
    payload: noPayload,
    ...('payload' in declaration ? {} : { dedupKey: () => declaration.name }),
    ...declaration,
  };
}

/** Numbers and remarks that Bull Board shows with the job. */
export type Figures = Readonly<Record<string, number | string | boolean | null>>;

/**
 * How a job ended. Handlers return it; a thrown error counts as failed.
 *
 * - `ok`: the work is done.
 * - `cancelled`: nothing to do, or not allowed now. Not an error; no retry.
 * - `snoozed`: too early. The job runs again after `delayMs`, without using up an attempt.
 * - `failed`: a known error. The job is retried as declared.
 */
export type Outcome =
  | { outcome: 'ok'; figures: Figures }
  | { outcome: 'cancelled'; reason: string; figures: Figures }
  | { outcome: 'snoozed'; delayMs: number; figures: Figures }
  | { outcome: 'failed'; reason: string; figures: Figures };

export function ok(figures: Figures = {}): Outcome {
  return { outcome: 'ok', figures };
}

export function cancelled(reason: string, figures: Figures = {}): Outcome {
  return { outcome: 'cancelled', reason, figures };
}

export function snoozed(delayMs: number, figures: Figures = {}): Outcome {
  return { outcome: 'snoozed', delayMs, figures };
}

export function failed(reason: string, figures: Figures = {}): Outcome {
  return { outcome: 'failed', reason, figures };
}
