import { SpanStatusCode, trace } from '@opentelemetry/api';
import { type Job as BullJob, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { Histogram, type Registry } from 'prom-client';
import type { Static, TSchema } from 'typebox';
import type { Logger } from '../../platform/logger.ts';
import { withLogContext } from '../../platform/logger.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import { jobs } from '../index.ts';
import type { Job, Outcome, QueueName } from '../job.ts';
import type { Enqueue } from './enqueue.ts';

/** A job bound to what does it. Throwing means: failed, try again as the job declares. */
export interface Handler {
  job: Job;
  handle(payload: unknown): Promise<Outcome>;
}

/** Binds a job to its handler, with the payload's type. */
export function handles<S extends TSchema>(
  job: Job<S>,
  handle: (payload: Static<S>) => Promise<Outcome>,
): Handler {
  return { job: job as Job, handle: handle as (payload: unknown) => Promise<Outcome> };
}

export interface RunningWorker {
  /** Takes no further job, waits for those being done, stops. */
  close(): Promise<void>;
}

export interface WorkerDeps {
  /** A connection that waits for Redis; BullMQ duplicates it for its blocking reads. */
  redis: Redis;
  enqueue: Enqueue;
  log: Logger;
  /** Where jobs are counted. */
  metrics?: Registry;
}

/**
 * Starts taking jobs from a queue, and adds those that are declared to recur.
 * @param concurrency jobs done at once in this process
 * @throws Error when a job of the queue has no handler, or more than one
 */
export function startWorker(
  queue: QueueName,
  handlers: readonly Handler[],
  deps: WorkerDeps,
  concurrency = 1,
): RunningWorker {
  const bound = bind(queue, handlers);
  const { redis, enqueue, log, metrics } = deps;
  const measure = metrics === undefined ? undefined : jobMetrics(metrics);
  const workers = shares(concurrency).map((share) => {
    const worker = new Worker(queue, (job: BullJob) => perform(job, bound, measure), {
      connection: redis,
      concurrency: share,
      // A killed process's job is taken up again within about ten seconds.
      lockDuration: 10_000,
      stalledInterval: 5_000,
      maxStalledCount: 10,
      skipVersionCheck: true,
    });
    worker.on('failed', (job, error) =>
      log.error({ err: error, job: job?.name, jobId: job?.id }, 'job failed'),
    );
    worker.on('stalled', (jobId) => log.warn({ jobId }, 'job stalled; it is taken up again'));
    worker.on('error', (error) => log.debug({ err: error.message }, 'worker'));
    return worker;
  });
  const recurring = handlers.map(({ job }) => job).filter(({ everyMs }) => everyMs !== undefined);
  const ticks = recurring.map((job) => setInterval(() => void enqueue.add(job, {}), job.everyMs));
  // Once Redis answers, the first ones are not waited for.
  void redis.ping().then(
    () => recurring.forEach((job) => void enqueue.add(job, {})),
    () => {},
  );
  return {
    async close() {
      for (const tick of ticks) clearInterval(tick);
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

/** Most jobs that one of BullMQ's workers does at once: it takes as many as it may, one after another, before it begins the first. */
const mostInWorker = 128;

/** As even as can be. */
function shares(concurrency: number): number[] {
  const workers = Math.ceil(concurrency / mostInWorker);
  return Array.from({ length: workers }, (_, index) => Math.ceil((concurrency - index) / workers));
}

/** Pairs every declared job of a queue with its handler. */
export function bind(queue: QueueName, handlers: readonly Handler[]): Map<string, Handler> {
  const bound = new Map<string, Handler>();
  for (const handler of handlers) {
    if (handler.job.queue !== queue)
      throw new Error(`job ${handler.job.name} belongs to the queue ${handler.job.queue}, not ${queue}`);
    if (bound.has(handler.job.name)) throw new Error(`job ${handler.job.name} has two handlers`);
    bound.set(handler.job.name, handler);
  }
  for (const job of jobs)
    if (job.queue === queue && !bound.has(job.name)) throw new Error(`job ${job.name} has no handler`);
  return bound;
}

const checks = new Map(jobs.map((job) => [job.name, checker(job.payload)]));

/** Of one process, however many queues it works on. */
function jobMetrics(registry: Registry): Histogram<'job' | 'outcome'> {
  const name = 'public_picks_job_seconds';
  const known = registry.getSingleMetric(name) as Histogram<'job' | 'outcome'> | undefined;
  if (known !== undefined) return known;
  return new Histogram({
    name,
    help: 'Seconds that jobs took, by name and outcome.',
    labelNames: ['job', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 10, 60, 600],
    registers: [registry],
  });
}

async function perform(
  job: BullJob,
  bound: Map<string, Handler>,
  measure: Histogram<'job' | 'outcome'> | undefined,
): Promise<Outcome> {
  const handler = bound.get(job.name);
  const check = checks.get(job.name);
  if (handler === undefined || check === undefined)
    throw new UnrecoverableError(`no job is named ${job.name}`);
  const payload = check(job.data);
  if (!payload.ok) throw new UnrecoverableError(`payload of ${job.name}: ${faultsText(payload.faults)}`);
  const end = measure?.startTimer({ job: job.name });
  try {
    const outcome = await withLogContext({ jobId: `${job.queueName}/${job.id}` }, () =>
      traced(job.name, () => handler.handle(payload.value)),
    );
    end?.({ outcome: 'done' });
    return outcome;
  } catch (error) {
    end?.({ outcome: 'failed' });
    throw error;
  }
}

/** One span a job, where traces are on: what the job asks of the stores belongs to it. */
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
