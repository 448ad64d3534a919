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
  /** The same without counting. */
  wait(key: string): Promise<number | undefined>;
  /** Takes back one that {@link take} counted, because the action was refused. */
  giveBack(key: string): Promise<void>;
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
        // The library counts what it refuses.
        await limiter.reward(key);
        return secondsOf(refusal);
      }
    },
    async wait(key) {
      const counted = await limiter.get(key);
      return counted === null || counted.consumedPoints < points ? undefined : secondsOf(counted);
    },
    async giveBack(key) {
      await limiter.reward(key);
    },
  };
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
