import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { clientKey } from '../platform/fair-queue.ts';
import { problem } from './answer.ts';

/**
 * Limits how often a minute one client address may ask for what costs something each time. Counts in this process.
 * @returns counts one more; throws a Problem, 429 with `Retry-After`, over the limit
 */
export function createClientLimit(perMinute: number): (ip: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (ip) => {
    try {
      await limiter.consume(clientKey(ip));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw problem(429, `You may ask ${perMinute} times a minute. Try again in ${seconds} seconds.`, {
        headers: { 'Retry-After': String(seconds) },
      });
    }
  };
}
