/** What stands between us and something that may be away: asked for in vain once, it is left alone for a while. */
export interface Breaker {
  /**
   * Does the work, unless the last one failed a moment ago: then it is not even begun.
   * @returns undefined when it was not begun, failed or took too long
   */
  attempt<T>(work: () => Promise<T>): Promise<T | undefined>;
}

export interface BreakerOptions {
  /** Milliseconds that work may take. */
  patienceMs: number;
  /** Milliseconds of rest after a failure; the next work after it is the probe, while others still rest. */
  restMs: number;
  onFailure?(error: unknown): void;
}

export function createBreaker({ patienceMs, restMs, onFailure }: BreakerOptions): Breaker {
  let restUntil = 0;
  return {
    async attempt(work) {
      const now = performance.now();
      if (now < restUntil) return undefined;
      const wasAway = restUntil > 0;
      if (wasAway) restUntil = now + restMs;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('no answer in time')), patienceMs);
      });
      try {
        const done = await Promise.race([work(), late]);
        restUntil = 0;
        return done;
      } catch (error) {
        restUntil = performance.now() + restMs;
        onFailure?.(error);
        return undefined;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
