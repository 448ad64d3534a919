import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisClient } from './redis.ts';

/** Limits how often a client may do something. */
export interface RateLimit {
  /**
   * Counts one action.
   * @param key the client or object that is limited
   * @returns undefined if allowed, otherwise the seconds until the next attempt
   */
  take(key: string): Promise<number | undefined>;
  /** Like {@link take}, without counting. */
  wait(key: string): Promise<number | undefined>;
  /** Uncounts an action that {@link take} allowed but that was then refused. */
  giveBack(key: string): Promise<void>;
}

/** A number of actions per period. */
export interface Rate {
  times: number;
  inMs: number;
}

/**
 * Creates a limit that all processes share in Redis. While Redis is unavailable, each process counts on its own.
 * @param name of the limited action
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
        // The library also counts refused actions.
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
