import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisClient } from './redis.ts';

export type RateLimit = ReturnType<typeof createRateLimit>;

export interface Rate {
  times: number;
  inMs: number;
}

/** Shared by all processes in Redis. While Redis is unavailable, each process counts on its own. @param name of the limited action */
export function createRateLimit(redis: RedisClient, name: string, { times, inMs }: Rate) {
  const [points, duration] = [times, inMs / 1000];
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `limit:${name}`,
    points,
    duration,
    insuranceLimiter: new RateLimiterMemory({ points, duration }),
  });
  return {
    /** @returns undefined if allowed, otherwise the seconds until the next attempt */
    async take(key: string): Promise<number | undefined> {
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
    /** Like `take`, without counting. */
    async wait(key: string): Promise<number | undefined> {
      const counted = await limiter.get(key);
      return counted === null || counted.consumedPoints < points ? undefined : secondsOf(counted);
    },
    /** Uncounts an action that `take` allowed but that was then refused. */
    async giveBack(key: string): Promise<void> {
      await limiter.reward(key);
    },
  };
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
