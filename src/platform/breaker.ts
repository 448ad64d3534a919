import { withActiveTimeout } from './timeout.ts';

export interface BreakerOptions {
  /** Timeout of the work, in ms, not counting time in which the event loop was blocked. */
  timeoutMs: number;
  /** How long the breaker stays open after a failure, in ms. The next work is then the probe; other work is skipped until it succeeds. */
  openMs: number;
  onFailure?(error: unknown): void;
}

/** Creates a circuit breaker: after a failure it skips work for a while, so that nobody waits for a failing store. */
export function createBreaker({ timeoutMs, openMs, onFailure }: BreakerOptions) {
  /** 0 while closed. */
  let openUntil = 0;
  return {
    /** Runs the work unless the breaker is open. @returns undefined if the work was skipped, failed, or timed out */
    async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
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
