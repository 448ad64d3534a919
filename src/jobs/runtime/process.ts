import { expectLogin } from '../../../migrations/expected-login.ts';
import { cacheStore } from '../../cache/store.ts';
import { type Clock, createClock } from '../../platform/clock.ts';
import { type Config, configOrExit } from '../../platform/config/config.ts';
import type { ProcessName } from '../../platform/config/processes.mjs';
import { type Database, openDatabase } from '../../platform/database.ts';
import { createLogger, type Logger } from '../../platform/logger.ts';
import { openRedis, openWaitingRedis, type RedisClient, warnOfEviction } from '../../platform/redis.ts';
import { onSignal } from '../../platform/shutdown.ts';
import type { Job, QueueName } from '../job.ts';
import { type Enqueue, openQueues } from './enqueue.ts';
import { checkHandlers, type Handler } from './handlers.ts';
import { startHealth } from './health.ts';
import { createOwnWork, withOwnWork } from './own-work.ts';
import { instanceOf, publishMetrics } from './process-metrics.ts';
import { type Pulse, startPulse } from './pulse.ts';
import { startWorker } from './worker.ts';

/** A worker is named after its main queue. */
type WorkerName = ProcessName & QueueName;

/** What a worker works with. Connections to Redis are those of its process; the database is its own, under its own login. */
export interface WorkerContext<Name extends WorkerName> {
  config: Config<Name>;
  log: Logger;
  clock: Clock;
  database: Database;
  /** Fails fast while Redis is away. */
  redis: RedisClient;
  /** The same to the Redis of rendered boards. */
  cacheRedis: RedisClient;
  enqueue: Enqueue;
  /** Aborted when the process shuts down, before it waits for running jobs: a long one stops after its current transaction. */
  closing: AbortSignal;
}

interface WorkerOptions {
  /** Jobs done at once; default 1. */
  concurrency?: number;
  /** Further queues of this worker, with the jobs done at once in each. */
  queues?: Partial<Record<QueueName, number>>;
  /** Called once before the connections close. */
  beforeClose?: () => Promise<void>;
}

/** What a process of one or several workers runs. */
export interface Worker extends WorkerOptions {
  name: WorkerName;
  handlersOf(context: WorkerContext<WorkerName>): readonly Handler[];
}

/**
 * Declares a worker; it runs with {@link runWorkers}.
 * @param name of its main queue and of its login
 * @param handlersOf gives the handlers: one for each job of the worker's queues, or its process does not start
 */
export function worker<Name extends WorkerName>(
  name: Name,
  handlersOf: (context: WorkerContext<Name>) => readonly Handler[],
  options: WorkerOptions = {},
): Worker {
  return { ...options, name, handlersOf: handlersOf as unknown as Worker['handlersOf'] };
}

/** What workers of a service have in common. */
export interface Service {
  /** Every job, whichever worker does it. */
  jobs: readonly Job[];
  /** Called for each worker once it is open: it takes no job until this resolves. */
  ready(worker: Pick<WorkerContext<WorkerName>, 'config' | 'database' | 'log'>): Promise<void>;
}

/**
 * Runs workers in this process: opens their connections and takes jobs from their queues once they are ready. An error in one of them ends
 * the process, and so all of them: none goes missing unseen. On SIGTERM they take no more jobs, finish those under way, and close in order.
 * @param environmentOf gives each worker's settings. Default: the process's own
 */
export async function runWorkers(
  { jobs, ready }: Service,
  workers: readonly Worker[],
  environmentOf: (name: WorkerName) => NodeJS.ProcessEnv = () => process.env,
): Promise<void> {
  const configured = workers.map((own) => ({ own, config: configOrExit(own.name, environmentOf(own.name)) }));
  const [first] = configured;
  if (first === undefined) return;
  const { process: settings, redis: stores } = first.config;
  const name = workers.length === 1 ? first.own.name : 'workers';
  const log = createLogger(name, settings.logLevel);
  const clock = createClock(settings.clock);
  const redis = openRedis(stores, log);
  warnOfEviction(redis, log);
  const cacheUrl = configured
    .map(({ config }) => (config.redis as Partial<Config<'boards'>['redis']>).cacheUrl)
    .find((url) => url !== undefined);
  const cacheRedis = cacheUrl === undefined ? redis : openRedis(cacheStore({ ...stores, cacheUrl }), log);
  const waiting = openWaitingRedis(stores, log);
  const own = createOwnWork(log);
  let pulse: Pulse | undefined;
  const enqueue = withOwnWork(openQueues(redis, log), own, () => pulse?.steady() ?? true);
  const metrics = publishMetrics(name, redis, log);
  const closing = new AbortController();
  const shared = { clock, redis, cacheRedis, enqueue, closing: closing.signal };
  const opened = configured.map((one) => open(one.own, jobs, { ...one, ...shared }));
  const queues = opened.flatMap((one) => one.queues.map(([queue]) => queue));
  const beating = startPulse(waiting, instanceOf(name), queues);
  pulse = beating;
  const taking: ReturnType<typeof startWorker>[] = [];
  let started = false;
  const { healthPort } = settings as Partial<Config<'sealing'>['process']>;
  const health =
    healthPort === undefined
      ? undefined
      : startHealth(
          healthPort,
          {
            databases: new Map(opened.map((one) => [one.name, one.database])),
            ...{ pulse: beating, started: () => started, closing: closing.signal },
          },
          log,
        );
  onSignal(
    log,
    {
      jobs: async () => {
        closing.abort();
        await Promise.all([own.close(), ...taking.map((queue) => queue.close())]);
      },
      'what the jobs share': async () => {
        await Promise.all(workers.map(({ beforeClose }) => beforeClose?.()));
      },
      queues: () => enqueue.close(),
      redis: async () => {
        beating.stop();
        await metrics.stop();
        for (const connection of [waiting, cacheRedis, redis]) connection.disconnect();
      },
      database: async () => {
        await Promise.all(opened.map(({ database }) => database.destroy()));
        health?.close();
      },
    },
    settings.shutdownSeconds,
  );
  const deps = { redis: waiting, enqueue, own, pulse: beating, metrics: metrics.registry };
  await Promise.all(
    opened.map(async (one) => {
      await ready(one);
      for (const [queue, atOnce] of one.queues) {
        const handlers = one.handlers.filter(({ job }) => job.queue === queue);
        taking.push(startWorker(queue, handlers, { ...deps, log: one.log }, atOnce));
      }
      one.log.info({ jobs: one.handlers.map(({ job }) => job.name) }, 'taking jobs');
    }),
  );
  started = true;
}

/** Opens what a worker has to itself, and binds its handlers. */
function open(
  { name, handlersOf, concurrency = 1, queues: further = {} }: Worker,
  jobs: readonly Job[],
  shared: Omit<WorkerContext<WorkerName>, 'log' | 'database'>,
) {
  const { config } = shared;
  const log = createLogger(name, config.process.logLevel);
  const { pools } = config.database;
  const database = openDatabase(config.database.url, {
    name: `public-picks ${name}`,
    connections: pools[name],
    onFirst: expectLogin({ name, pools, warn: (fault) => log.error(fault) }),
  });
  const handlers = handlersOf({ ...shared, log, database });
  const queues = Object.entries({ ...further, [name]: concurrency }) as [QueueName, number][];
  checkHandlers(
    queues.map(([queue]) => queue),
    jobs,
    handlers,
  );
  return { name, config, log, database, handlers, queues };
}
