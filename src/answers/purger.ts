import type { Logger } from '../platform/logger.ts';
import { retryAfter } from '../platform/retry-after.ts';
import { settledAfterMs } from './answers.ts';
import { everything, tagName } from './rendered.ts';

export interface PurgerOptions {
  /** Purge endpoints. Each is called independently, so a failing one does not delay the others. */
  urls: readonly URL[];
  /** Sent with each call, for example a token. */
  header?: readonly [name: string, value: string] | undefined;
  log: Logger;
  /** How long tags are collected before a purge, in ms; default 400. */
  collectMs?: number;
  /** Delay before a purge is sent a second time, in ms; default 3000. */
  repeatMs?: number;
  /** Delay before the first retry, in ms, doubled for each further one up to a minute; default 500. */
  retryMs?: number;
}

/** Purges caches in front of the site by tag (docs/operations.md#caches-in-front). */
export type Purger = ReturnType<typeof createPurger>;

/** Cloudflare's limit on tags per call. */
const maxTagsPerCall = 100;
/** Number of tags beyond which everything is purged. */
const maxTags = 1000;
const timeoutMs = 5000;
const maxRetryMs = 60_000;

export function createPurger({ urls, log, ...options }: PurgerOptions) {
  const failures = new Map<URL, { since: number; failure: string }>();
  const caches = urls.map((url) =>
    createBacklog({
      ...options,
      url,
      onOutcome(failure) {
        const known = failures.get(url);
        if (failure === undefined) failures.delete(url);
        else failures.set(url, { since: known?.since ?? performance.now(), failure });
        if (failure !== undefined && known === undefined)
          log.warn({ host: url.host, failure }, 'cannot purge a cache in front: retrying');
        if (failure === undefined && known !== undefined)
          log.info({ host: url.host }, 'cache in front purged');
      },
    }),
  );
  return {
    /** Purges the answers with any of these tags, soon. Never throws. */
    purge(tags: Iterable<string>): void {
      const names = [...tags].map(tagName);
      for (const cache of caches) cache.add(names);
    },
    purgeAll(): void {
      for (const cache of caches) cache.add([everything]);
    },
    /** Returns a sentence for each cache that has refused purges for `ms` milliseconds. */
    refusals(ms: number): string[] {
      const now = performance.now();
      return [...failures]
        .filter(([, { since }]) => now - since >= ms)
        .map(
          ([{ host }, { since, failure }]) =>
            `${host} has refused purges for ${Math.floor((now - since) / 60_000)} min: ${failure}.`,
        );
    },
    async close(): Promise<void> {
      await Promise.all(caches.map((cache) => cache.close()));
    },
  };
}

interface BacklogOptions extends Pick<PurgerOptions, 'header' | 'collectMs' | 'repeatMs' | 'retryMs'> {
  url: URL;
  onOutcome(failure: string | undefined): void;
}

interface Change {
  /** Time of the last change, on the clock of `performance.now()`. */
  changedAt: number;
  /** When to send the purge, on the same clock. */
  dueAt: number;
}

function createBacklog({
  url,
  header,
  onOutcome,
  collectMs = 400,
  repeatMs = 3000,
  retryMs = 500,
}: BacklogOptions) {
  const changes = new Map<string, Change>();
  let failed = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let closing = false;

  function schedule(notBefore = 0): void {
    clearTimeout(timer);
    if (closing || sending !== undefined || changes.size === 0) return;
    const next = Math.max(notBefore, Math.min(...[...changes.values()].map(({ dueAt }) => dueAt)));
    timer = setTimeout(
      () => {
        // Timers may fire slightly early.
        sending = send(Math.max(next, performance.now())).then((waitMs) => {
          sending = undefined;
          schedule(performance.now() + waitMs);
        });
      },
      Math.max(0, next - performance.now()),
    ).unref();
  }

  /** Sends what is due at `due`, which is not in the past. @returns minimum delay before the next call, in ms */
  async function send(due: number): Promise<number> {
    const all = [...changes].filter(([, { dueAt }]) => dueAt <= due).map(([tag]) => tag);
    const names = all.includes(everything) ? [everything] : all;
    for (let from = 0; from < names.length; from += maxTagsPerCall) {
      const part = names.slice(from, from + maxTagsPerCall);
      const { failure, waitMs = 0 } = await call(part);
      if (failure !== undefined) {
        failed += 1;
        onOutcome(failure);
        return Math.max(waitMs, Math.min(maxRetryMs, retryMs * 2 ** (failed - 1)));
      }
      for (const tag of part[0] === everything ? all : part) sent(tag, due);
    }
    failed = 0;
    onOutcome(undefined);
    return 0;
  }

  /** Purges a tag twice: processes serve the old answer for a short while after a change, and a busy process may send it even later. */
  function sent(tag: string, at: number): void {
    const { changedAt } = changes.get(tag) ?? {};
    // So many tags changed meanwhile that everything is purged.
    if (changedAt === undefined) return;
    if (changedAt > at - settledAfterMs)
      changes.set(tag, { changedAt, dueAt: performance.now() + collectMs });
    else if (changedAt > at - repeatMs) changes.set(tag, { changedAt, dueAt: changedAt + repeatMs });
    else changes.delete(tag);
  }

  async function call(tags: readonly string[]): Promise<{ failure?: string; waitMs?: number }> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Surrogate-Key': tags.join(' '),
          ...(header && { [header[0]]: header[1] }),
        },
        body: JSON.stringify({ tags }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (response.ok) return {};
      const waitMs = retryAfter(Object.fromEntries(response.headers), Date.now()) ?? 0;
      return { failure: `status ${response.status}`, waitMs: Math.min(waitMs, maxRetryMs) };
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      return { failure: cause?.code ?? name };
    }
  }

  return {
    add(names: readonly string[]) {
      const changedAt = performance.now();
      const dueAt = changedAt + collectMs;
      for (const name of names)
        changes.set(name, { changedAt, dueAt: Math.min(dueAt, changes.get(name)?.dueAt ?? dueAt) });
      if (changes.size > maxTags) {
        changes.clear();
        changes.set(everything, { changedAt, dueAt });
      }
      if (failed === 0) schedule();
    },
    async close() {
      closing = true;
      clearTimeout(timer);
      await sending;
      if (changes.size > 0) await send(Number.POSITIVE_INFINITY);
    },
  };
}
