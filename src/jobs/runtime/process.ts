import type { Redis } from 'ioredis';
import { type Clock, createClock } from '../../platform/clock.ts';
import { type Config, configOrExit } from '../../platform/config/config.ts';
import type { ProcessName } from '../../platform/config/processes.mjs';
import { type Database, openDatabase } from '../../platform/database.ts';
import { logKindOrExit, newLogKind } from '../../platform/log-kind.ts';
import { createLogger, type Logger } from '../../platform/logger.ts';
import { openRedis, openWaitingRedis, warnOfEviction } from '../../platform/redis.ts';
import { onSignal } from '../../platform/shutdown.ts';
import type { Job, QueueName } from '../job.ts';
import { type Enqueue, openQueues } from './enqueue.ts';
import { checkHandlers, type Handler } from './handlers.ts';
import { publishMetrics } from './process-metrics.ts';
import { startWorker } from './worker.ts';

/** A worker process is named after its main queue. */
type WorkerName = ProcessName & QueueName;

/** What a worker process works with. */
export interface WorkerProcess<Name extends WorkerName> {
  config: Config<Name>;
  log: Logger;
  clock: Clock;
  database: Database;
  /** Fails fast while Redis is away. */
  redis: Redis;
  enqueue: Enqueue;
}

export interface RunOptions {
  /** Jobs done at once; default 1. */
  concurrency?: number;
  /** Further queues of this process, with the jobs done at once in each. */
  queues?: Partial<Record<QueueName, number>>;
  /** Connections to the database at most; default 4. */
  connections?: number;
  /** Called when the process is to end, before it waits for the jobs that are being done. */
  onClosing?: () => void;
  /** Called once before the connections close. */
  beforeClose?: () => Promise<void>;
}

/**
 * Runs a worker process under the login of the same name: opens its connections and takes jobs from its queues, once it is known that its
 * settings suit the log. On SIGTERM it takes no more, finishes those under way
 * and closes in order.
 * @param jobs every job of the service
 * @param handlersOf gives the handlers: one for each job of the process's queues, or the process does not start
 */
export async function runWorker<Name extends WorkerName>(
  queue: Name,
  jobs: readonly Job[],
  handlersOf: (process: WorkerProcess<Name>) => readonly Handler[],
  {
    concurrency = 1,
    queues: further = {},
    connections = 4,
    onClosing = () => {},
    beforeClose = async () => {},
  }: RunOptions = {},
): Promise<void> {
  const config = configOrExit(queue) as Config<Name> & Config<WorkerName>;
  const log = createLogger(queue, config.process.logLevel);
  const clock = createClock(config.process.clock);
  const login = { name: queue, warn: (fault: string) => log.error(fault) };
  const database = openDatabase(config.database.url, { name: `public-picks ${queue}`, connections, login });
  const redis = openRedis(config.redis.url, log);
  warnOfEviction(redis, log);
  const waiting = openWaitingRedis(config.redis.url, log);
  const enqueue = openQueues(redis, log);
  const metrics = publishMetrics(queue, redis, log);
  const queues = Object.entries({ ...further, [queue]: concurrency }) as [QueueName, number][];
  const handlers = handlersOf({ config, log, clock, database, redis, enqueue });
  checkHandlers(
    queues.map(([name]) => name),
    jobs,
    handlers,
  );
  const workers: ReturnType<typeof startWorker>[] = [];
  onSignal(
    log,
    {
      jobs: async () => {
        onClosing();
        await Promise.all(workers.map((worker) => worker.close()));
      },
      'what the jobs share': beforeClose,
      queues: () => enqueue.close(),
      redis: async () => {
        await metrics.stop();
        waiting.disconnect();
        redis.disconnect();
      },
      database: () => database.destroy(),
    },
    config.process.shutdownSeconds,
  );
  // Nothing depends on the kind of the log where the settings suit all kinds, and then nothing waits for PostgreSQL.
  const settings = { process: config.process, site: config.site as Partial<Config<'ingest'>['site']> };
  if (newLogKind(settings) !== 'live') await logKindOrExit(database, settings, log);
  for (const [name, atOnce] of queues) {
    const own = handlers.filter(({ job }) => job.queue === name);
    workers.push(startWorker(name, own, { redis: waiting, enqueue, log, metrics: metrics.registry }, atOnce));
  }
  log.info({ jobs: handlers.map(({ job }) => job.name) }, 'taking jobs');
}
