import { Redis } from 'ioredis';
import type { Logger } from './logger.ts';

/**
 * Opens a connection for commands that a request or a job waits for: while Redis is unavailable they fail at once instead of queueing.
 * It reconnects by itself until it is closed.
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

/** Opens a connection whose commands wait until Redis is available: for BullMQ workers and publish/subscribe. */
export function openWaitingRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  return logged(redis, log);
}

/**
 * Redis' eviction policy. Any but `noeviction` loses jobs once the memory is full, and with them nothing says so (docs of BullMQ, "Going to
 * production"). INFO says it also where CONFIG is forbidden, as by many providers.
 */
export async function evictionPolicy(redis: Redis): Promise<string> {
  const info = await redis.info('memory');
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'unknown';
}

/** Warns, once connected, of an eviction policy that loses jobs. */
export function warnOfEviction(redis: Redis, log: Logger): void {
  const check = async () => {
    const policy = await evictionPolicy(redis).catch(() => 'unknown');
    if (policy !== 'noeviction' && policy !== 'unknown')
      log.warn(
        { policy },
        'redis evicts: set maxmemory-policy to noeviction, or jobs get lost when its memory is full',
      );
  };
  if (redis.status === 'ready') void check();
  else redis.once('ready', () => void check());
}

/** Logs once that the connection broke and once that it is back, not every attempt. */
function logged(redis: Redis, log: Logger): Redis {
  let unavailable = false;
  redis.on('error', (error: Error) => {
    if (!unavailable) log.warn({ err: error.message }, 'redis is unavailable');
    unavailable = true;
  });
  redis.on('ready', () => {
    if (unavailable) log.info('redis is available again');
    unavailable = false;
  });
  return redis;
}
