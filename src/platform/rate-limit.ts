import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisClient } from './redis.ts';

/** Limits how often somebody may do something. */
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

/** How often, in how many milliseconds. */
export interface Rate {
  times: number;
  inMs: number;
}

/**
 * Counts in Redis, for all processes together; while Redis is away, in this process.
 * @param name what is counted
 */
export function createRateLimit(redis: RedisClient, name: string, { times, inMs }: Rate): RateLimit {
  const [points, duration] = [times, inMs / 1000];
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
