import { SpanStatusCode, trace } from '@opentelemetry/api';
import { type Job as BullJob, DelayedError, UnrecoverableError } from 'bullmq';
import { Histogram, type Registry } from 'prom-client';
import { withLogContext } from '../../platform/logger.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import type { Figures, Outcome } from '../job.ts';
import type { Handler } from './handlers.ts';

/** Does the jobs of a queue: checks the payload, calls the handler, counts the outcome. */
export interface Performer {
  /**
   * Does a job of BullMQ, and gives it the outcome.
   * @param token of the worker's lock on the job
   * @returns what Bull Board shows as the job's return value
   * @throws Error for an outcome `failed`, and whatever the handler throws: another attempt follows, if the job has one left.
   *   UnrecoverableError, after which none follows, for a job without handler or with a bad payload
   */
  perform(job: BullJob, token: string | undefined): Promise<Figures>;
  /**
   * Does a job that BullMQ does not know of.
   * @throws as {@link perform}, save for an outcome `failed`
   */
  run(name: string, data: unknown, id?: string): Promise<Outcome>;
}

export function performer(handlers: readonly Handler[], metrics: Registry | undefined): Performer {
  const bound = new Map(
    handlers.map((handler) => [handler.job.name, { ...handler, check: checker(handler.job.payload) }]),
  );
  const seconds = metrics && jobSeconds(metrics);
  const run = async (name: string, data: unknown, id = `own/${name}`): Promise<Outcome> => {
    const handler = bound.get(name);
    if (handler === undefined) throw new UnrecoverableError(`no job is named ${name}`);
    const payload = handler.check(data);
    if (!payload.ok) throw new UnrecoverableError(`payload of ${name}: ${faultsText(payload.faults)}`);
    return counted(name, seconds, () =>
      withLogContext({ jobId: id }, () => traced(name, () => handler.handle(payload.value))),
    );
  };
  return {
    run,
    perform: async (job, token) =>
      settle(job, token, await run(job.name, job.data, `${job.queueName}/${job.id}`)),
  };
}

/** Gives BullMQ an outcome: it completes a job that returns, and retries one that throws. */
async function settle(job: BullJob, token: string | undefined, outcome: Outcome): Promise<Figures> {
  const { outcome: kind, figures } = outcome;
  switch (kind) {
    case 'ok':
      return { outcome: kind, ...figures };
    case 'cancelled':
      return { outcome: kind, reason: outcome.reason, ...figures };
    case 'snoozed':
      // A job that waits has no return value: its figures are shown as its progress.
      await job.updateProgress({ outcome: kind, ...figures });
      await job.moveToDelayed(Date.now() + outcome.delayMs, token);
      throw new DelayedError();
    case 'failed':
      await job.updateProgress({ outcome: kind, ...figures });
      throw new Error(outcome.reason);
  }
}

/** Measures how long a job takes, by its outcome. */
async function counted(
  job: string,
  seconds: ReturnType<typeof jobSeconds> | undefined,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const end = seconds?.startTimer({ job });
  try {
    const outcome = await work();
    end?.({ outcome: outcome.outcome });
    return outcome;
  } catch (error) {
    end?.({ outcome: 'failed' });
    throw error;
  }
}

/** One histogram a process, shared by its queues. */
function jobSeconds(registry: Registry): Histogram<'job' | 'outcome'> {
  const name = 'public_picks_job_seconds';
  const known = registry.getSingleMetric(name) as Histogram<'job' | 'outcome'> | undefined;
  if (known !== undefined) return known;
  return new Histogram({
    name,
    help: 'Seconds that jobs took, by name and outcome: ok, cancelled, snoozed or failed.',
    labelNames: ['job', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 10, 60, 600],
    registers: [registry],
  });
}

/** One span a job, where traces are on: the job's queries and calls belong to it. */
function traced<T>(name: string, work: () => Promise<T>): Promise<T> {
  return trace.getTracer('public-picks').startActiveSpan(`job ${name}`, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
      throw error;
    } finally {
      span.end();
    }
  });
}
