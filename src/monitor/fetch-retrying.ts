import { setTimeout as sleep } from 'node:timers/promises';
import { fetchBytes, LogUnreadable } from './log-client.ts';

/** Waits before each repeat of a request, in milliseconds, where the log names no time. */
const backoffMs = [1_000, 2_000, 4_000, 8_000, 16_000];

/** The longest wait within a poll. A log that asks for more is left alone until the next poll. */
const longestWaitMs = 120_000;

export interface RetryOptions {
  /** Called before each wait, with a sentence that says why and how long. */
  onWait(message: string): void;
  /** Ends a wait. */
  signal?: AbortSignal;
  /** Default: 1 s, doubled up to 16 s. */
  backoffMs?: readonly number[];
}

/**
 * Makes a fetch that repeats what an overloaded log or a broken network refuses. It waits as long as Retry-After asks, at most 2 minutes,
 * and otherwise by a growing backoff. Concurrent requests wait together, so that one answer holds all of them back.
 * @returns throws LogUnreadable once the repeats are used up, or where the failure is none that passes
 */
export function fetchRetrying({
  onWait,
  signal,
  backoffMs: waits = backoffMs,
}: RetryOptions): (url: URL) => Promise<Uint8Array> {
  let pausedUntil = 0;

  async function pause(): Promise<void> {
    for (let left = pausedUntil - performance.now(); left > 0; left = pausedUntil - performance.now())
      await sleep(left, undefined, { signal }).catch(() => {
        throw new LogUnreadable('Stopped while waiting for the log');
      });
  }

  return async (url) => {
    const firstAt = performance.now();
    for (let failed = 0; ; failed += 1) {
      await pause();
      try {
        return await fetchBytes(url);
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
  const asked = retryAfterMs === null ? '' : `, and asks for ${secondsOf(retryAfterMs)} without requests`;
  return new LogUnreadable(`${message}${tried}${asked}`, { status, retryAfterMs, mayPass: true });
}

const secondsOf = (ms: number): string => `${Math.ceil(ms / 1000)} s`;
