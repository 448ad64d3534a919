import type { Static, TSchema } from 'typebox';

/** The queues, one a worker process, save that deliveries of webhooks have lanes. The names are on the wire: they never change. */
export const queueNames = [
  'ingest',
  'sealing',
  'grading',
  'boards',
  'webhooks',
  'webhooks-healthy',
  'webhooks-slow',
  'webhooks-chat',
  'status',
] as const;
export type QueueName = (typeof queueNames)[number];

/** What a job is: everything but what is done, which its handler says in the room that the work belongs to. */
export interface Job<S extends TSchema = TSchema> {
  /** Written on the wire; unique among all jobs. */
  name: string;
  queue: QueueName;
  /** One sentence for operators. */
  about: string;
  payload: S;
  /**
   * What makes two jobs the same. While one waits, the other is dropped; while one is being done, exactly one more is kept for
   * afterwards, so that what came during the work is not missed.
   */
  sameAs?: (payload: Static<S>) => string;
  /** Attempts in all, before a job is kept as failed. Default 5. */
  attempts?: number;
  /**
   * Milliseconds between two attempts, for what readers wait for. Default: a second before the second attempt, doubled for each further one.
   */
  retryEveryMs?: number;
  /**
   * The job's worker adds it every so many milliseconds: what was lost with Redis is found again by that. Who makes work adds the job at
   * once, so this is no bound on how fast the service reacts, but each run of it costs an idle service some 50 commands of Redis: where a
   * look tells that there is nothing to do, its handler says so (`due`).
   */
  everyMs?: number;
  /**
   * While Redis does not deliver jobs, and for half a minute after that and after its own start, the worker looks so often whether there is
   * work (`due`) and does it: nothing that is true waits for Redis (docs/operations.md#redis). Default: it comes every {@link everyMs} then too.
   */
  pollMs?: number;
  /**
   * Two at once would do harm, such as asking a provider twice, and only Redis keeps them apart: while it is away the job is not done.
   */
  alone?: true;
}

/** Declares a job; the generic keeps the payload's type. */
export function job<S extends TSchema>(declaration: Job<S>): Job<S> {
  return declaration;
}

/** Numbers and remarks beside an outcome, shown with the job in Bull Board. */
export type Figures = Readonly<Record<string, number | string | boolean | null>>;

/**
 * How a job ended. A handler returns it; throwing is for surprises, and counts as failed.
 *
 * - `ok`: the work is done.
 * - `cancelled`: there is nothing to do, or it must not be done now. No fault, and no further attempt.
 * - `snoozed`: too early. The job comes again after `delayMs`, which is no attempt.
 * - `failed`: it did not work, for a reason that is known. It is tried again as the job declares.
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

/** @param delayMs milliseconds from now */
export function snoozed(delayMs: number, figures: Figures = {}): Outcome {
  return { outcome: 'snoozed', delayMs, figures };
}

export function failed(reason: string, figures: Figures = {}): Outcome {
  return { outcome: 'failed', reason, figures };
}
