import { Redis } from 'ioredis';
import type { Logger } from './logger.ts';

/**
 * Opens a connection for commands that a request or a job waits for: while Redis is away they fail at once instead of queueing.
 * It reconnects by itself for as long as it is open.
 */
export function openRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    commandTimeout: 2000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  return logged(redis, log);
}

/** Opens a connection for what waits for Redis however long it takes: BullMQ workers and subscriptions to channels. */
export function openWaitingRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  return logged(redis, log);
}

/** Says once that the connection broke, and once that it is back. */
function logged(redis: Redis, log: Logger): Redis {
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) log.warn({ err: error.message }, 'redis is out of reach');
    away = true;
  });
  redis.on('ready', () => {
    if (away) log.info('redis is back');
    away = false;
  });
  return redis;
}
