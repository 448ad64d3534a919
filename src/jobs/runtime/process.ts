import type { Redis } from 'ioredis';
import { type Clock, createClock } from '../../platform/clock.ts';
import { type Config, configOrExit } from '../../platform/config/config.ts';
import { type Database, openDatabase } from '../../platform/database.ts';
import { createLogger, type Logger } from '../../platform/logger.ts';
import { openRedis, openWaitingRedis } from '../../platform/redis.ts';
import { onSignal } from '../../platform/shutdown.ts';
import type { QueueName } from '../job.ts';
import { type Enqueue, openQueues } from './enqueue.ts';
import { tellMetrics } from './process-metrics.ts';
import { type Handler, startWorker } from './worker.ts';

/** What a worker process works with. */
export interface WorkerProcess {
  config: Config;
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
  lanes?: Partial<Record<QueueName, number>>;
  /** Most connections to the database; default 4. */
  connections?: number;
  /** Called when the process is to end, before it waits for the jobs that are being done. */
  onClosing?: () => void;
  /** Called once before the connections close. */
  beforeClose?: () => Promise<void>;
}

/**
 * Runs a worker process: opens what it works with, takes jobs from its queue, and on SIGTERM takes no more, finishes those it has
 * and closes in order.
 * @param bind gives the handler of every job of the queue
 */
export function runWorker(
  queue: QueueName,
  bind: (process: WorkerProcess) => readonly Handler[],
  {
    concurrency = 1,
    lanes = {},
    connections = 4,
    onClosing = () => {},
    beforeClose = async () => {},
  }: RunOptions = {},
): void {
  const config = configOrExit();
  const log = createLogger(queue, config.process.logLevel);
  const clock = createClock(config.process.clock);
  const database = openDatabase(config.database.url, { name: `public-picks ${queue}`, connections });
  const redis = openRedis(config.redis.url, log);
  const waiting = openWaitingRedis(config.redis.url, log);
  const enqueue = openQueues(redis, log);
  const metrics = tellMetrics(queue, redis, log);
  const handlers = bind({ config, log, clock, database, redis, enqueue });
  const queues = Object.entries({ ...lanes, [queue]: concurrency }) as [QueueName, number][];
  const workers = queues.map(([name, most]) => {
    // One that belongs to none of these is given to all of them, and refused.
    const own = handlers.filter(
      ({ job }) => job.queue === name || !queues.some(([one]) => one === job.queue),
    );
    return startWorker(name, own, { redis: waiting, enqueue, log, metrics: metrics.registry }, most);
  });
  log.info({ jobs: handlers.map(({ job }) => job.name) }, 'taking jobs');
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
}
