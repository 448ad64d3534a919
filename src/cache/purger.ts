import type { Logger } from '../platform/logger.ts';
import { retryAfter } from '../platform/retry-after.ts';
import { settledAfterMs } from './cache.ts';

export interface PurgerOptions {
  /** Called independently: a failing one does not delay the others. */
  urls: readonly URL[];
  /** Sent with each call, such as a token. */
  header?: readonly [name: string, value: string] | undefined;
  log: Logger;
  /** Called after each call. @param failure why an address did not accept a purge; undefined if all did */
  onOutcome?(failure: string | undefined): void;
  /** Milliseconds for which tags are collected, default 400. */
  collectMs?: number;
  /** Milliseconds after which a purge is sent a second time, default 3000. */
  repeatMs?: number;
  /** Milliseconds until the first retry, doubled for each one after it up to a minute; default 500. */
  retryMs?: number;
}

/** Purges caches in front of the site by tag (docs/operations.md#caches-in-front). */
export interface Purger {
  /** Drops the answers with one of these tags, soon. Never throws. */
  purge(tags: Iterable<string>): void;
  /** Drops all answers. */
  purgeAll(): void;
  /** Sends pending purges, once. */
  close(): Promise<void>;
}

/** Cloudflare's maximum number of tags per call. */
const maxTagsPerCall = 100;
/** Beyond this many tags everything is purged. */
const maxTags = 1000;
const timeoutMs = 5000;
const maxRetryMs = 60_000;

export function createPurger({ urls, log, onOutcome = () => {}, ...options }: PurgerOptions): Purger {
  const failures = new Map<string, string>();
  const caches = urls.map((url) =>
    createBacklog({
      ...options,
      url,
      onOutcome(failure) {
        const known = failures.get(url.href);
        if (failure === undefined) failures.delete(url.href);
        else failures.set(url.href, failure);
        if (failure !== undefined && known === undefined)
          log.warn({ host: url.host, failure }, 'cache in front not purged');
        if (failure === undefined && known !== undefined)
          log.info({ host: url.host }, 'cache in front purged');
        onOutcome(failures.values().next().value);
      },
    }),
  );
  return {
    purge(tags) {
      const names = [...tags].map(tagName);
      for (const cache of caches) cache.add(names);
    },
    purgeAll() {
      for (const cache of caches) cache.add([everything]);
    },
    async close() {
      await Promise.all(caches.map((cache) => cache.close()));
    },
  };
}

interface BacklogOptions extends Pick<PurgerOptions, 'header' | 'collectMs' | 'repeatMs' | 'retryMs'> {
  url: URL;
  onOutcome(failure: string | undefined): void;
}

interface Change {
  /** In milliseconds of `performance.now()`, the last one. */
  changedAt: number;
  /** When to send the purge, on the same clock. */
  dueAt: number;
}

/** Pending purges of one cache. */
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
        // A timer may be a little early.
        sending = send(Math.max(next, performance.now())).then((waitMs) => {
          sending = undefined;
          schedule(performance.now() + waitMs);
        });
      },
      Math.max(0, next - performance.now()),
    ).unref();
  }

  /** Sends what is due at `due`, which is not in the past. @returns minimum milliseconds until the next call */
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

  /**
   * Processes serve the answer before a change for a short while, and a busy process may send it even later, so the cache is purged
   * twice.
   */
  function sent(tag: string, at: number): void {
    const { changedAt } = changes.get(tag) ?? {};
    // Too many tags changed meanwhile, so everything is purged.
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
      return { failure: `it answers ${response.status}`, waitMs: Math.min(waitMs, maxRetryMs) };
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

/** The tag of every answer that caches may keep. */
const everything = 'everything';

/**
 * Headers with the tags of an answer, for caches in front that purge by tag: `Surrogate-Key` for Fastly and Varnish's xkey, `Cache-Tag`
 * for Cloudflare, Google, and Akamai.
 */
export function tagHeaders(tags: readonly string[]): Record<'Surrogate-Key' | 'Cache-Tag', string> {
  const names = [everything, ...tags].map(tagName);
  return { 'Surrogate-Key': names.join(' '), 'Cache-Tag': names.join(',') };
}

/** A tag in headers and purges: printable ASCII without spaces, commas, and signs that have a meaning in patterns. */
function tagName(tag: string): string {
  return encodeURIComponent(tag)
    .replaceAll('%3A', ':')
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
