import { type Availability, DatabaseUnavailable } from '../platform/availability.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { singleFlight } from '../platform/once.ts';
import type { RedisClient } from '../platform/redis.ts';
import { withTimeout } from '../platform/timeout.ts';
import { type AsOf, createAnswers, Memory } from './answers.ts';
import type { Changes } from './changes.ts';
import { finish, NotFound, type Renderable } from './renderable.ts';
import { isInTime, mayBeStale, type Rendered } from './rendered.ts';
import { createStore, type Stored } from './store.ts';

/**
 * Runs the rendering of an answer, with the given context or one derived from it.
 * @param isFirst whether a reader waits without a stale answer to fall back on
 */
export type Within<Context> = <T>(
  context: Context,
  render: (context: Context) => Promise<T>,
  isFirst: boolean,
) => Promise<T>;

export interface CacheDeps<Context> {
  /** A connection that fails fast. */
  redis: RedisClient;
  clock: Clock;
  log: Logger;
  /** Returns the context for rendering at an instant, in epoch milliseconds. */
  contextAt(now: number): Promise<Context>;
  /** Runs each rendering. Default: calls it. */
  within?: Within<Context> | undefined;
  /** Runs reads of the ledger. */
  availability: Pick<Availability, 'run'>;
  /** Default: memory answers nothing. */
  changes?: Changes | undefined;
  /** Size of this process's {@link Memory}, in bytes; default 16 MiB. */
  memoryBytes?: number | undefined;
  /** Limit in Redis for answers that readers requested, in bytes per quarter of an hour. Default 64 MiB. */
  redisBytes?: number | undefined;
  /** How long memory serves a changed answer, in ms, so that a busy board is not rendered for every change. Default 200. */
  renderEveryMs?: number | undefined;
  /** How long a reader waits for a refresh before getting the stale answer, in ms. Default 150. */
  refreshTimeoutMs?: number | undefined;
}

export interface CacheAnswer {
  rendered: Rendered;
  /** Whether the answer may be outdated, because a fresh one was not ready in time. */
  stale: boolean;
  source: 'memory' | 'redis' | 'rendered';
}

/** Runs work, possibly after other work. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Numbers of answers that `refreshAhead` checked, rendered, and failed to render. */
export type Refreshed = Record<'checked' | 'rendered' | 'failed', number>;

/** Rendered answers, from this process's memory or Redis, or rendered if neither has a fresh one. */
export type Cache<Context> = ReturnType<typeof createCache<Context>>;

const defaultRenderEveryMs = 200;

/** While a changed answer is rendered again, memory serves the old one this much longer than `renderEveryMs`, in ms. */
const renderingMs = 100;

/** Time after a bump until no process serves the old answer as fresh, in ms. */
export const settledAfterMs = defaultRenderEveryMs + renderingMs;

/** How long an answer counts as fresh while Redis is unavailable, in ms. */
const freshWithoutRedisMs = 500;

export function createCache<Context>(deps: CacheDeps<Context>) {
  const { redis, clock, log, contextAt, availability, changes } = deps;
  const { memoryBytes = 16 * 2 ** 20, redisBytes = 64 * 2 ** 20, refreshTimeoutMs = 150 } = deps;
  const renderEveryMs = changes === undefined ? 0 : (deps.renderEveryMs ?? defaultRenderEveryMs);
  const within: Within<Context> = deps.within ?? ((context, render) => render(context));
  const store = createStore(redis, log, redisBytes);
  const memory = new Memory(memoryBytes);
  const answers = createAnswers(clock, changes, memory);
  const finding = singleFlight<CacheAnswer>();
  const rendering = singleFlight<Rendered>();
  /** By key: until when an answer needs no refresh ahead unless something changes, and the versions it was rendered from. */
  const resting = new Map<string, { until: number; from: Versions }>();
  let changeCount = 0;

  /** Called for every change: the cache does not know which answers depend on it. */
  function endRest(): void {
    changeCount += 1;
    resting.clear();
  }

  /** Renders an answer and keeps it if allowed. `asOf` is from before `stored` was read. */
  function render(
    renderable: Renderable<Context>,
    stored: Stored | undefined,
    asOf: AsOf,
    { isFirst = false, isAhead = false }: { isFirst?: boolean; isAhead?: boolean } = {},
  ): Promise<Rendered> {
    return rendering(renderable.key, () =>
      availability.run(async () => {
        const now = clock.now();
        const context = await contextAt(now);
        const output = await within(context, (given) => renderable.render(given), isFirst);
        const read = stored ?? { epoch: '', versions: [] };
        const finished = finish(renderable, output, now, read, isFirst ? 'quickly' : 'well');
        const isSettled =
          stored !== undefined && changes?.changedSince(asOf.position, renderable.tags) !== true;
        const rendered = isSettled ? finished : { ...finished, unsettled: true as const };
        if (output.mayKeep === false) return rendered;
        if (stored === undefined)
          answers.put(rendered, { ...answers.now(), position: -1 }, freshWithoutRedisMs);
        else {
          answers.put(rendered, asOf, renderEveryMs);
          const writing = store.write(finished, isAhead);
          // The reader of a first answer does not wait for the write.
          if (!isFirst) await writing;
        }
        return rendered;
      }),
    );
  }

  async function find(renderable: Renderable<Context>, inTurn: InTurn): Promise<CacheAnswer> {
    const { key, tags } = renderable;
    const asOf = answers.now();
    answers.extend(key, renderEveryMs + renderingMs);
    const stored = await store.read(key, tags);
    const kept = stored?.rendered;
    const isTrusted = changes?.writable() !== false;
    if (isTrusted && stored !== undefined && kept !== undefined && isFresh(kept, stored, clock.now())) {
      answers.put(kept, asOf, renderEveryMs);
      return { rendered: kept, stale: false, source: 'redis' };
    }
    const isUsable = kept !== undefined && mayBeStale(kept, clock.now());
    const isFirst = !isUsable && !answers.has(key);
    const rendered = isFirst
      ? inTurn(() => render(renderable, stored, asOf, { isFirst }))
      : render(renderable, stored, asOf);
    try {
      const refreshed = await (isUsable
        ? withTimeout(rendered, refreshTimeoutMs, () => undefined)
        : rendered);
      if (refreshed !== undefined) return { rendered: refreshed, stale: false, source: 'rendered' };
      rendered.catch((error: unknown) => logFailure(error, key));
    } catch (error) {
      if (error instanceof NotFound || (kept ?? answers.any(key)) === undefined) throw error;
      logFailure(error, key);
    }
    if (kept !== undefined) return { rendered: kept, stale: true, source: 'redis' };
    return { rendered: answers.any(key) as Rendered, stale: true, source: 'memory' };
  }

  /**
   * Returns keys of answers that need no refresh ahead; none if an answer is missing in Redis or Redis does not answer. Uses two commands
   * for all of them.
   */
  async function atRest(renderables: readonly Renderable<Context>[]): Promise<ReadonlySet<string>> {
    const now = clock.now();
    const inTime = renderables.filter(({ key }) => now < (resting.get(key)?.until ?? 0));
    const tags = [...new Set(inTime.flatMap(({ tags }) => tags))];
    if (inTime.length === 0 || (await store.has(inTime.map(({ key }) => key))) !== true) return new Set();
    const read = await store.versions(tags);
    if (read === undefined) return new Set();
    const versionOf = new Map(tags.map((tag, index) => [tag, read.versions[index]!]));
    const isUnchanged = ({ key, tags }: Renderable<Context>) => {
      const from = resting.get(key)?.from;
      return (
        from !== undefined &&
        isRenderedFrom(from, { epoch: read.epoch, versions: tags.map((tag) => versionOf.get(tag)!) })
      );
    };
    return new Set(inTime.filter(isUnchanged).map(({ key }) => key));
  }

  function logFailure(error: unknown, key: string): void {
    if (!(error instanceof DatabaseUnavailable))
      log.error({ err: error, key }, 'cannot refresh an answer: readers get the stale one');
  }

  return {
    /**
     * Returns the answer of a renderable. Concurrent calls for one key share the work.
     * @param inTurn runs the work if there is no stale answer to fall back on. Default: at once
     * @throws NotFound; DatabaseUnavailable if the answer cannot be rendered; errors of `render`
     */
    async answer(renderable: Renderable<Context>, inTurn: InTurn = (work) => work()): Promise<CacheAnswer> {
      const remembered = answers.fresh(renderable.key);
      if (remembered !== undefined)
        return { rendered: remembered as Rendered, stale: false, source: 'memory' };
      return finding(renderable.key, () => find(renderable, inTurn));
    },
    /**
     * Renders answers that are stale or soon will be, one after the other. Failures are logged and counted. Does nothing while Redis is
     * unavailable.
     * @throws DatabaseUnavailable
     */
    async refreshAhead(renderables: Iterable<Renderable<Context>>): Promise<Refreshed> {
      const counts: Refreshed = { checked: 0, rendered: 0, failed: 0 };
      const all = [...renderables];
      const rested = await atRest(all);
      for (const renderable of all) {
        const { key, tags } = renderable;
        const changesBefore = changeCount;
        counts.checked += 1;
        // A change during this round clears `resting`.
        if (rested.has(key) && resting.has(key)) continue;
        try {
          const asOf = answers.now();
          const stored = await store.read(key, tags);
          if (stored === undefined) continue;
          const isRendered = !isFreshAhead(stored, clock.now());
          const rendered = isRendered
            ? await render(renderable, stored, asOf, { isAhead: true })
            : stored.rendered!;
          if (isRendered) counts.rendered += 1;
          if (changeCount === changesBefore)
            resting.set(key, { until: rendered.goodUntil - aheadMs(rendered), from: rendered });
        } catch (error) {
          if (error instanceof DatabaseUnavailable) throw error;
          counts.failed += 1;
          resting.delete(key);
          log.error({ err: error, key }, 'cannot refresh an answer ahead');
        }
      }
      return counts;
    },
    /**
     * Reports whether `refreshAhead` may have something to render: after a bump by this cache, or if an answer is about to expire or
     * missing.
     */
    async aheadDue(renderables: Iterable<Renderable<Context>>): Promise<boolean> {
      const keys = [...renderables].map(({ key }) => key);
      const now = clock.now();
      if (keys.some((key) => now >= (resting.get(key)?.until ?? 0))) return true;
      return (await store.has(keys)) === false;
    },
    bump(changed: Iterable<string>, version: number): Promise<void> {
      endRest();
      return store.bump(changed, version);
    },
    renewEpoch(): Promise<void> {
      endRest();
      return store.renewEpoch();
    },
    /** Answers in this process's memory. Only this cache stores under the keys of renderables. */
    answers,
    /** The memory of `answers`, shared by everything that this process keeps. */
    memory,
    /** Stops background work; connections stay open. */
    close: store.close,
  };
}

function isFresh(rendered: Rendered, stored: Stored, now: number): boolean {
  return isInTime(rendered, now) && isRenderedFrom(rendered, stored);
}

type Versions = Pick<Rendered, 'epoch' | 'versions'>;

function isRenderedFrom(rendered: Versions, { epoch, versions }: Versions): boolean {
  return (
    rendered.epoch === epoch &&
    rendered.versions.length === versions.length &&
    rendered.versions.every((version, index) => version === versions[index])
  );
}

/** Returns how long before its expiry an answer is refreshed, in ms, so that readers do not find it stale. */
function aheadMs({ lifetime }: Rendered): number {
  return Math.min((lifetime * 1000) / 3, 30_000);
}

function isFreshAhead(stored: Stored, now: number): boolean {
  const { rendered } = stored;
  return rendered !== undefined && isFresh(rendered, stored, now + aheadMs(rendered));
}
