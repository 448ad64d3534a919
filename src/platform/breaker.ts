import { withActiveTimeout } from './timeout.ts';

/** A circuit breaker: after a failure it skips work for a while, so that nobody waits for a store that is down. */
export interface Breaker {
  /**
   * Does the work, unless the breaker is open.
   * @returns undefined when the work was skipped, failed or timed out
   */
  attempt<T>(work: () => Promise<T>): Promise<T | undefined>;
}

export interface BreakerOptions {
  /** Milliseconds that work may take, without those in which the event loop stood still. */
  timeoutMs: number;
  /** Milliseconds for which the breaker stays open after a failure. The next work after that is the probe: until it succeeds, other work is skipped. */
  openMs: number;
  onFailure?(error: unknown): void;
}

export function createBreaker({ timeoutMs, openMs, onFailure }: BreakerOptions): Breaker {
  /** 0 while closed. */
  let openUntil = 0;
  return {
    async attempt(work) {
      const now = performance.now();
      if (now < openUntil) return undefined;
      const probing = openUntil > 0;
      if (probing) openUntil = now + openMs;
      try {
        const done = await withActiveTimeout(work(), timeoutMs);
        openUntil = 0;
        return done;
      } catch (error) {
        openUntil = performance.now() + openMs;
        onFailure?.(error);
        return undefined;
      }
    },
  };
}
