import { setTimeout as sleep } from 'node:timers/promises';
import { type FetchBytes, fetchBytes, LogUnreadable } from './log-client.ts';

/** In milliseconds; used if the log sends no Retry-After. */
const backoffMs = [1_000, 2_000, 4_000, 8_000, 16_000];

/** Maximum delay within a poll, in milliseconds. If the log asks for more, the poll ends. */
const longestWaitMs = 120_000;

export interface RetryOptions {
  /** Called before each delay, with a sentence that gives its reason and length. */
  onWait(message: string): void;
  signal?: AbortSignal;
  /** Delays in milliseconds. Default: 1 s, doubling up to 16 s. */
  backoffMs?: readonly number[];
}

/**
 * Returns a fetch that retries after the log is overloaded or the network fails. The delay is that of Retry-After, at most 2 minutes, or
 * else a growing backoff. Concurrent requests share delays, so that one answer holds all of them back.
 * @returns a function that throws LogUnreadable after the last retry, or at once for other failures
 */
export function fetchRetrying({ onWait, signal, backoffMs: waits = backoffMs }: RetryOptions): FetchBytes {
  let pausedUntil = 0;

  async function pause(): Promise<void> {
    for (let left = pausedUntil - performance.now(); left > 0; left = pausedUntil - performance.now())
      await sleep(left, undefined, { signal }).catch(() => {
        throw new LogUnreadable('Stopped while waiting for the log');
      });
  }

  return async (url, limit) => {
    const firstAt = performance.now();
    for (let failed = 0; ; failed += 1) {
      await pause();
      try {
        return await fetchBytes(url, limit);
      } catch (error) {
        if (!(error instanceof LogUnreadable) || !error.mayPass) throw error;
        const waitMs = Math.max(error.retryAfterMs ?? 0, waits[failed] ?? 0);
        if (failed === waits.length || waitMs > longestWaitMs) throw lastOf(error, failed + 1, firstAt);
        const now = performance.now();
        const isPaused = pausedUntil > now;
        pausedUntil = Math.max(pausedUntil, now + waitMs);
        const asked = error.retryAfterMs === waitMs ? ', as the log asks' : '';
        if (!isPaused) onWait(`${error.message}. Trying again in ${secondsOf(waitMs)}${asked}.`);
      }
    }
  };
}

function lastOf(
  { message, status, retryAfterMs }: LogUnreadable,
  times: number,
  firstAt: number,
): LogUnreadable {
  const tried = times === 1 ? '' : `, ${times} times in ${secondsOf(performance.now() - firstAt)}`;
  const asked = retryAfterMs === null ? '' : `, and asks for no requests for ${secondsOf(retryAfterMs)}`;
  return new LogUnreadable(`${message}${tried}${asked}`, { status, retryAfterMs, mayPass: true });
}

const secondsOf = (ms: number): string => `${Math.ceil(ms / 1000)} s`;
