import type { Static, TSchema } from 'typebox';
import { createLimiter } from '../../platform/limiter.ts';
import type { Job, Outcome, QueueName } from '../job.ts';

export interface Handler {
  job: Job;
  handle(payload: unknown): Promise<Outcome>;
  /** The worker adds the job every `everyMs`. */
  recurs: boolean;
  /** Called before the worker adds a recurring job. */
  due(): Promise<boolean>;
}

/**
 * @param on false if the settings give the job nothing to do; it then does not recur
 * @param serial whether runs in this process wait for each other; default false. BullMQ and the fallback may start equal jobs together
 * @param due reports whether a recurring job has work; default: always. One query costs an idle service far less than a job
 */
export function handles<S extends TSchema>(
  job: Job<S>,
  handle: (payload: Static<S>) => Promise<Outcome>,
  {
    on = true,
    serial = false,
    due = async () => true,
  }: { on?: boolean; serial?: boolean; due?: () => Promise<boolean> } = {},
): Handler {
  const run = handle as (payload: unknown) => Promise<Outcome>;
  const turns = createLimiter(1);
  return {
    job: job as Job,
    handle: serial ? (payload) => turns.run(() => run(payload)) : run,
    recurs: on && job.everyMs !== undefined,
    due,
  };
}

/** @throws Error unless each job of the queues has exactly one handler, and each handler a job of the queues */
export function checkHandlers(
  queues: readonly QueueName[],
  declared: readonly Job[],
  handlers: readonly Handler[],
): void {
  const bound = new Set<string>();
  for (const { job } of handlers) {
    const { name, queue } = job;
    if (!queues.includes(queue))
      throw new Error(`job ${name} belongs to the queue ${queue}, not to ${queues.join(', ')}`);
    if (!declared.includes(job)) throw new Error(`job ${name} is not declared`);
    if (bound.has(name)) throw new Error(`job ${name} has two handlers`);
    bound.add(name);
  }
  const names = new Set<string>();
  for (const { name, queue } of declared) {
    if (names.has(name)) throw new Error(`two jobs are named ${name}`);
    names.add(name);
    if (queues.includes(queue) && !bound.has(name)) throw new Error(`job ${name} has no handler`);
  }
}
