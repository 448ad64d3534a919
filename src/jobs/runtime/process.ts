import { createServer, type Server } from 'node:http';
import { expectLogin } from '../../../migrations/expected-login.ts';
import { type Clock, createClock } from '../../platform/clock.ts';
import { type Config, configOrExit } from '../../platform/config/config.ts';
import type { ProcessName } from '../../platform/config/processes.ts';
import { type Database, openDatabase } from '../../platform/database.ts';
import { createLogger, type Logger } from '../../platform/logger.ts';
import { openRedis, openWaitingRedis, type RedisClient } from '../../platform/redis.ts';
import { onSignal } from '../../platform/shutdown.ts';
import { withTimeout } from '../../platform/timeout.ts';
import type { Job, QueueName } from '../job.ts';
import { type Enqueue, openQueues } from './enqueue.ts';
import { createFallback, withFallback } from './fallback.ts';
import { checkHandlers, type Handler } from './handlers.ts';
import { publishMetrics } from './process-metrics.ts';
import { startWorker } from './worker.ts';

/** Workers are named after their main queue. */
type WorkerName = ProcessName & QueueName;

/** Dependencies of a worker. Connections to Redis belong to the process; the database is the worker's own, under its own login. */
export interface WorkerContext<Name extends WorkerName> {
  config: Config<Name>;
  log: Logger;
  clock: Clock;
  database: Database;
  redis: RedisClient;
  /** Like {@link redis}, for the Redis that holds rendered boards. */
  cacheRedis: RedisClient;
  enqueue: Enqueue;
  /** Aborted when the process shuts down, before it waits for running jobs. A long job stops after its current transaction. */
  closing: AbortSignal;
  /** Registers something to close after the last job, before connections close. */
  beforeClose(close: () => Promise<void>): void;
}

interface WorkerOptions {
  /** Concurrency of the main queue; default 1. */
  concurrency?: number;
  /** Further queues of this worker, with the concurrency of each. */
  queues?: Partial<Record<QueueName, number>>;
}

/** A declared worker. A process runs one or several. */
export interface Worker extends WorkerOptions {
  name: WorkerName;
  handlersOf(context: WorkerContext<WorkerName>): readonly Handler[];
}

/**
 * @param name of the worker's main queue and its login
 * @param handlersOf returns exactly one handler for each job of the worker's queues
 */
export function worker<Name extends WorkerName>(
  name: Name,
  handlersOf: (context: WorkerContext<Name>) => readonly Handler[],
  options: WorkerOptions = {},
): Worker {
  return { ...options, name, handlersOf: handlersOf as unknown as Worker['handlersOf'] };
}

export interface Service {
  jobs: readonly Job[];
  /** Called for each worker when its connections are open. The worker takes no job until this resolves. */
  ready(worker: Pick<WorkerContext<WorkerName>, 'config' | 'database' | 'log'>): Promise<void>;
}

/**
 * Runs workers in this process. An unexpected error in one ends the process and thus all of them, so that no worker dies unnoticed. On
 * SIGTERM they take no more jobs, finish running ones, and close in order.
 * @param environmentOf returns a worker's settings. Default: those of the process
 */
export async function runWorkers(
  { jobs, ready }: Service,
  workers: readonly Worker[],
  environmentOf: (name: WorkerName) => NodeJS.ProcessEnv = () => process.env,
): Promise<void> {
  const configured = workers.map((each) => ({
    worker: each,
    config: configOrExit(each.name, environmentOf(each.name)),
  }));
  const [first] = configured;
  if (first === undefined) return;
  const { process: settings, redis: stores } = first.config;
  const name = workers.length === 1 ? first.worker.name : 'workers';
  const log = createLogger(name, settings.logLevel);
  const clock = createClock(settings.clock);
  const redis = openRedis(stores, log);
  const cacheUrl = configured
    .map(({ config }) => (config.redis as Partial<Config<'boards'>['redis']>).cacheUrl)
    .find((url) => url !== undefined);
  const cacheRedis = cacheUrl === undefined ? redis : openRedis({ url: cacheUrl }, log);
  const waiting = openWaitingRedis(stores, log);
  const fallback = createFallback(log);
  const enqueue = withFallback(openQueues(redis, log), fallback);
  const metrics = publishMetrics(name, redis, log);
  const closing = new AbortController();
  const closers: (() => Promise<void>)[] = [];
  const beforeClose = (close: () => Promise<void>) => void closers.push(close);
  const shared = { clock, redis, cacheRedis, enqueue, closing: closing.signal, beforeClose };
  const opened = configured.map((one) => open(one.worker, jobs, { ...one, ...shared }));
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
            redis,
            started: () => started,
            closing: closing.signal,
          },
          log,
        );
  onSignal(
    log,
    {
      jobs: async () => {
        closing.abort();
        await Promise.all([fallback.close(), ...taking.map((queue) => queue.close())]);
      },
      'shared resources': async () => {
        await Promise.all(closers.map((close) => close()));
      },
      queues: () => enqueue.close(),
      redis: async () => {
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
  const deps = { redis: waiting, enqueue, fallback, metrics: metrics.registry };
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

interface HealthDeps {
  databases: ReadonlyMap<string, Database>;
  redis: RedisClient;
  started(): boolean;
  closing: AbortSignal;
}

const answerMs = 2000;

/** `/healthz` is 200 while the process runs; `/readyz` while PostgreSQL answers. Redis is not required: workers find work without it. */
function startHealth(port: number, deps: HealthDeps, log: Logger): Server {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0];
    const [code, body] =
      path === '/healthz'
        ? [200, { status: 'live' }]
        : path === '/readyz'
          ? await readiness(deps)
          : [404, {}];
    response
      .writeHead(Number(code), {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        connection: 'close',
      })
      .end(`${JSON.stringify(body)}\n`);
  });
  server.requestTimeout = 5000;
  server.once('error', (error) => {
    log.fatal({ err: error }, 'cannot listen on HEALTH_PORT: free the port or choose another');
    process.exit(1);
  });
  // Listens on all addresses, because a cluster's probes come from outside the host.
  server.listen(port, '0.0.0.0');
  return server;
}

async function readiness({ databases, redis, started, closing }: HealthDeps): Promise<[number, object]> {
  const [takesWrites, ...answers] = await Promise.all([
    // A replica, or a server without memory, would answer a ping.
    succeeds(redis.set('public-picks:readyz', '', 'PX', answerMs)),
    ...[...databases.values()].map((database) => succeeds(database.raw('select 1'))),
  ]);
  const postgres = answers.every((answered) => answered) ? 'ok' : 'away';
  const { aborted } = closing;
  const ready = started() && !aborted && postgres === 'ok';
  const status = aborted ? 'shutting down' : !ready ? 'not ready' : takesWrites ? 'ready' : 'degraded';
  return [ready ? 200 : 503, { status, postgres, redis: takesWrites ? 'ok' : 'away' }];
}

function succeeds(work: PromiseLike<unknown>): Promise<boolean> {
  return withTimeout(
    Promise.resolve(work).then(
      () => true,
      () => false,
    ),
    answerMs,
    () => false,
  );
}
