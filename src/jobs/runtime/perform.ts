import { SpanStatusCode, trace } from '@opentelemetry/api';
import { type Job as BullJob, DelayedError, UnrecoverableError } from 'bullmq';
import { Histogram, type Registry } from 'prom-client';
import { isUnreachable } from '../../platform/database.ts';
import { type Logger, withLogContext } from '../../platform/logger.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import type { Figures, Job, Outcome } from '../job.ts';
import type { Handler } from './handlers.ts';

export type Performer = ReturnType<typeof performer>;

export function performer(handlers: readonly Handler[], metrics: Registry | undefined) {
  const bound = new Map(
    handlers.map((handler) => [handler.job.name, { ...handler, check: checker(handler.job.payload) }]),
  );
  const seconds = metrics && jobSeconds(metrics);
  const running: string[] = [];
  const run = async (name: string, data: unknown, id = `fallback/${name}`): Promise<Outcome> => {
    const handler = bound.get(name);
    if (handler === undefined) throw new UnrecoverableError(`no job is named ${name}`);
    const payload = handler.check(data);
    if (!payload.ok) throw new UnrecoverableError(`payload of ${name}: ${faultsText(payload.faults)}`);
    const end = seconds?.startTimer({ job: name });
    running.push(name);
    try {
      const work = () => traced(name, () => handler.handle(payload.value));
      const outcome = await withLogContext({ jobId: id }, work);
      end?.({ outcome: outcome.outcome });
      return outcome;
    } catch (error) {
      end?.({ outcome: 'failed' });
      throw error;
    } finally {
      running.splice(running.indexOf(name), 1);
    }
  };
  return {
    /** @throws any error of the handler; UnrecoverableError, which BullMQ does not retry, if the job has no handler or a bad payload */
    run,
    isRunning: ({ name }: Pick<Job, 'name'>) => running.includes(name),
    /**
     * @param token of the worker's lock on the job
     * @returns the figures that Bull Board shows as the job's return value
     * @throws as `run`, and Error for the outcome `failed`; BullMQ retries if attempts are left
     */
    perform: async (job: BullJob, token: string | undefined) =>
      settle(job, token, await run(job.name, job.data, `${job.queueName}/${job.id}`)),
  };
}

/** Pause between two warnings about PostgreSQL, in ms. */
const warnEveryMs = 60_000;

/** While PostgreSQL is unavailable, read-only, or full, jobs fail one after another, and their work waits: one warning a minute. */
export function failureLog(
  log: Logger,
): (error: Error, job: { job?: string | undefined; jobId?: string | undefined }) => void {
  let warnAt = Number.NEGATIVE_INFINITY;
  return (error, job) => {
    if (!isUnreachable(error)) {
      log.error({ err: error, ...job }, 'job failed');
      return;
    }
    if (performance.now() < warnAt) return;
    warnAt = performance.now() + warnEveryMs;
    log.warn({ err: error.message, ...job }, 'jobs stop: postgresql is unavailable or takes no writes');
  };
}

/** Passes an outcome to BullMQ, which completes a job that returns and retries one that throws. */
async function settle(job: BullJob, token: string | undefined, outcome: Outcome): Promise<Figures> {
  const { outcome: kind, figures } = outcome;
  switch (kind) {
    case 'ok':
      return { outcome: kind, ...figures };
    case 'cancelled':
      return { outcome: kind, reason: outcome.reason, ...figures };
    case 'snoozed':
      // A waiting job has no return value, so Bull Board shows the figures as its progress.
      await job.updateProgress({ outcome: kind, ...figures });
      await job.moveToDelayed(Date.now() + outcome.delayMs, token);
      throw new DelayedError();
    case 'failed':
      await job.updateProgress({ outcome: kind, ...figures });
      throw new Error(outcome.reason);
  }
}

/** Shared by all queues of the process. */
function jobSeconds(registry: Registry) {
  const name = 'public_picks_job_seconds';
  const known = registry.getSingleMetric(name) as Histogram<'job' | 'outcome'> | undefined;
  if (known !== undefined) return known;
  return new Histogram({
    name,
    help: 'Seconds that jobs took, by name and outcome: ok, cancelled, snoozed, or failed.',
    labelNames: ['job', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 10, 60, 600],
    registers: [registry],
  });
}

/** Runs a job in one span, which its queries and calls join. */
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
