import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisClient } from '../../platform/redis.ts';
import { retention } from './retention.ts';

/** Limits an action to five times an hour (docs/rules/webhooks.md#limits). */
export interface RateLimit {
  /**
   * Counts one more.
   * @param key who or what the action is counted by
   * @returns undefined, or, over the limit, the whole seconds after which to try again
   */
  take(key: string): Promise<number | undefined>;
}

/** How often, in how many seconds. */
const points = 5;
const duration = retention.request.forMs / 1000;

/**
 * Counts in Redis, for all processes together; while Redis is away, in this process.
 * @param name what is counted
 */
export function createRateLimit(redis: RedisClient, name: string): RateLimit {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `limit:${name}`,
    points,
    duration,
    insuranceLimiter: new RateLimiterMemory({ points, duration }),
  });
  return {
    async take(key) {
      try {
        await limiter.consume(key);
        return undefined;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      }
    },
  };
}
