// The answers to requests for boards, feeds, pages, and files. One comes from the memory of this process (`memory.ts`), from Redis
// (`store.ts`), or from one computation that concurrent requests share. This room does not know HTTP: `http/transport/` makes the response.

import { setTimeout as pause } from 'node:timers/promises';
import type { Static, TObject } from 'typebox';
import type { Board, TypedBoard } from '../boards/board.ts';
import {
  type BoardContext,
  type Endpoint,
  type GivenParams,
  NotFound,
  type Output,
  type Renderable,
  type Sport,
  sportsIn,
} from '../boards/endpoint.ts';
import { fillIn, newestValues } from '../boards/examples.ts';
import { type Availability, DatabaseUnavailable, runUnprobed } from '../platform/availability.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { clientKey, createFairQueue } from '../platform/fair-queue.ts';
import type { Logger } from '../platform/logger.ts';
import { singleFlight } from '../platform/once.ts';
import type { RedisClient } from '../platform/redis.ts';
import type { Replica } from '../platform/replica.ts';
import { withTimeout } from '../platform/timeout.ts';
import type { Changes } from './changes.ts';
import { Coded, type Coding, compressed, exactly, weakEntityTag } from './coded.ts';
import { type AsOf, createMemory } from './memory.ts';
import { finish, isInTime, mayBeStale, type Rendered } from './rendered.ts';
import { createStore, type Stored, type Versions } from './store.ts';

export interface AnswersDeps {
  redis: RedisClient;
  database: Database;
  /**
   * Pools of one connection each, for boards without an answer yet; default: {@link database}. A board uses a single pool, so that its
   * statements run one after another. With few processors, that is faster than concurrent statements over cold connections.
   */
  firstDatabases?: readonly Database[];
  /** Default: the database. */
  replica?: Replica | undefined;
  clock: Clock;
  log: Logger;
  baseUrl: string;
  helpLine: string;
  /** Default: an unavailable PostgreSQL is noticed only by the error of each read. */
  availability?: Pick<Availability, 'run'>;
  /** Default: memory answers nothing. */
  changes?: Changes | undefined;
  /** Size of this process's memory, in bytes; default 16 MiB. */
  memoryBytes?: number | undefined;
  /** Limit in Redis for answers that readers requested, in bytes per quarter of an hour. Default 64 MiB. */
  redisBytes?: number | undefined;
  /** How long memory serves a changed answer, in ms, so that a busy board is not rendered for every change. Default 200. */
  renderEveryMs?: number | undefined;
  /** How long a reader waits for a refresh before getting the stale answer, in ms. Default 150. */
  refreshTimeoutMs?: number | undefined;
}

export interface Answered {
  rendered: Rendered;
  /** Whether the answer may be outdated, because a fresh one was not ready in time. */
  stale: boolean;
  source: 'memory' | 'redis' | 'rendered';
}

export class Basis {
  readonly tags = new Set<string>();
  goodUntil = Number.POSITIVE_INFINITY;

  /** How long a kept answer of these boards is valid, and what it depends on. */
  get keep(): { tags: readonly string[]; goodUntil: EpochMs } {
    return { tags: [...this.tags], goodUntil: this.goodUntil };
  }

  add({ rendered, stale }: Answered): void {
    for (const tag of rendered.tags) this.tags.add(tag);
    this.goodUntil = Math.min(this.goodUntil, stale ? 0 : rendered.goodUntil);
  }
}

/** An answer that is expensive to build, such as an export, in one coding. */
export interface Built {
  /** Weak, and equal for all codings. */
  etag: string;
  /** Each fills its memory block, see `exactly`. */
  bytes: Buffer;
}

/** @param tagged content of the entity tag. Default: the answer's content */
export async function builtOf(
  content: Buffer,
  coding: Coding,
  tagged: readonly Buffer[] = [content],
): Promise<Built> {
  const etag = weakEntityTag(...tagged);
  const bytes = coding === 'identity' ? content : await compressed(content, coding, 'well');
  return { etag, bytes: exactly(bytes) };
}

interface BuiltAnswer {
  etag: string;
  body: Coded;
}

export type Refreshed = Record<'checked' | 'rendered' | 'failed', number>;

export type Answers = ReturnType<typeof createAnswers>;

const defaultRenderEveryMs = 200;

/** While a changed answer is rendered again, memory serves the old one this much longer than `renderEveryMs`, in ms. */
const renderingMs = 100;

/** Time after a bump until no process serves the old answer as fresh, in ms. */
export const settledAfterMs = defaultRenderEveryMs + renderingMs;

/** How long an answer counts as fresh while Redis is unavailable, in ms. */
const freshWithoutRedisMs = 500;

const sportsMs = 60_000;

export function createAnswers(deps: AnswersDeps) {
  const { redis, database, replica, clock, log, baseUrl, helpLine, changes } = deps;
  const { memoryBytes = 16 * 2 ** 20, redisBytes = 64 * 2 ** 20, refreshTimeoutMs = 150 } = deps;
  const renderEveryMs = changes === undefined ? 0 : (deps.renderEveryMs ?? defaultRenderEveryMs);
  const run = deps.availability?.run ?? runUnprobed;
  const first = leastUsed(deps.firstDatabases ?? [database]);
  const queue = createFairQueue();
  const store = createStore(redis, log, redisBytes);
  const memory = createMemory(clock, changes, memoryBytes);
  const builds = memory.shelf<BuiltAnswer>('b', ({ body }) => body.size + 1000);
  const finding = singleFlight<Answered>();
  const rendering = singleFlight<Rendered>();
  const building = singleFlight<BuiltAnswer | undefined>();
  /** Until when no answer needs a refresh ahead unless something changes. */
  let restsUntil = 0;

  let knownSports: ReadonlyMap<string, Sport> | undefined;
  let sportsKnownUntil = 0;
  const readingSports = singleFlight<Sport[]>();
  /** Returns the sports by key, at most a minute old, or older while the table cannot be read. */
  async function sports(): Promise<ReadonlyMap<string, Sport>> {
    if (knownSports !== undefined && performance.now() < sportsKnownUntil) return knownSports;
    try {
      const read = await readingSports('sports', () => run(() => sportsIn(database)));
      knownSports = new Map(read.map((sport) => [sport.key, sport]));
      sportsKnownUntil = performance.now() + sportsMs;
    } catch (error) {
      if (knownSports === undefined) throw error;
    }
    return knownSports;
  }

  const contextAt = async (now: number): Promise<BoardContext> => ({
    now,
    baseUrl,
    helpLine,
    database,
    sports: await sports(),
  });

  /** Runs expensive work when it is the turn of a client's address; at once for work that no client asked for. */
  function inTurn<T>(ip: string | undefined, work: () => Promise<T>): Promise<T> {
    return ip === undefined ? work() : queue.run(clientKey(ip), work);
  }

  /** @param isFirst whether a reader waits without a stale answer to fall back on */
  function outputOf(renderable: Renderable, context: BoardContext, isFirst: boolean): Promise<Output> {
    const on = (given: Database) => renderable.render({ ...context, database: given });
    const read = (own: Database) => (replica === undefined ? on(own) : replica.read(on, own));
    return isFirst ? first(read) : read(database);
  }

  /** Renders an answer and keeps it if allowed. `asOf` is from before `stored` was read. */
  function render(
    renderable: Renderable,
    stored: Stored | undefined,
    asOf: AsOf,
    { isFirst = false, isAhead = false }: { isFirst?: boolean; isAhead?: boolean } = {},
  ): Promise<Rendered> {
    return rendering(renderable.key, () =>
      run(async () => {
        const now = clock.now();
        const output = await outputOf(renderable, await contextAt(now), isFirst);
        const read = stored ?? { epoch: '', versions: [] };
        const finished = finish(renderable, output, now, read, isFirst ? 'quickly' : 'well');
        const isSettled =
          stored !== undefined && changes?.changedSince(asOf.position, renderable.tags) !== true;
        const rendered = isSettled ? finished : { ...finished, unsettled: true as const };
        if (output.mayKeep === false) return rendered;
        if (stored === undefined)
          memory.put(rendered, { ...memory.now(), position: -1 }, freshWithoutRedisMs);
        else {
          memory.put(rendered, asOf, renderEveryMs);
          const writing = store.write(finished, isAhead);
          // The reader of a first answer does not wait for the write.
          if (!isFirst) await writing;
        }
        return rendered;
      }),
    );
  }

  async function find(renderable: Renderable, ip: string | undefined): Promise<Answered> {
    const { key, tags } = renderable;
    const asOf = memory.now();
    memory.extend(key, renderEveryMs + renderingMs);
    const stored = await store.read(key, tags);
    const kept = stored?.rendered;
    const isTrusted = changes?.writable() !== false;
    if (isTrusted && stored !== undefined && kept !== undefined && isFresh(kept, stored, clock.now())) {
      memory.put(kept, asOf, renderEveryMs);
      return { rendered: kept, stale: false, source: 'redis' };
    }
    const isUsable = kept !== undefined && mayBeStale(kept, clock.now());
    const isFirst = !isUsable && !memory.has(key);
    const rendered = isFirst
      ? inTurn(ip, () => render(renderable, stored, asOf, { isFirst }))
      : render(renderable, stored, asOf);
    try {
      const refreshed = await (isUsable
        ? withTimeout(rendered, refreshTimeoutMs, () => undefined)
        : rendered);
      if (refreshed !== undefined) return { rendered: refreshed, stale: false, source: 'rendered' };
      rendered.catch((error: unknown) => logFailure(error, key));
    } catch (error) {
      if (error instanceof NotFound || (kept ?? memory.any(key)) === undefined) throw error;
      logFailure(error, key);
    }
    if (kept !== undefined) return { rendered: kept, stale: true, source: 'redis' };
    return { rendered: memory.any(key) as Rendered, stale: true, source: 'memory' };
  }

  function logFailure(error: unknown, key: string): void {
    if (!(error instanceof DatabaseUnavailable))
      log.error({ err: error, key }, 'cannot refresh an answer: readers get the stale one');
  }

  /**
   * Returns the answer of a renderable. Concurrent calls for one key share the work.
   * @param ip the client's address: clients take turns if there is no stale answer to fall back on. Default: at once
   * @throws NotFound; DatabaseUnavailable if the answer cannot be rendered; Overloaded; errors of `render`
   */
  async function answer(renderable: Renderable, ip?: string): Promise<Answered> {
    const remembered = memory.fresh(renderable.key);
    if (remembered !== undefined) return { rendered: remembered as Rendered, stale: false, source: 'memory' };
    return finding(renderable.key, () => find(renderable, ip));
  }

  /** @throws InvalidParams, and as `answer` */
  async function read(endpoint: Endpoint, given: GivenParams, ip?: string): Promise<Answered> {
    const known = await sports().catch((error: unknown) => {
      // Kept answers still work; everything else fails with its own read.
      if (error instanceof DatabaseUnavailable) return undefined;
      throw error;
    });
    return answer(endpoint.renderable(given, known), ip);
  }

  return {
    answer,
    read,
    sports,
    inTurn,
    /** @param basis collects the dependencies of an answer built from the board. @throws as `read` */
    async body<B extends TObject>(
      board: TypedBoard<TObject, B>,
      given: GivenParams,
      basis?: Basis,
    ): Promise<Static<B>> {
      const answer = await read(board, given);
      basis?.add(answer);
      const { rendered } = answer;
      return JSON.parse((rendered.body.made('identity') as Buffer).toString());
    },
    /**
     * Returns an answer that is expensive to build, from memory or built in the client's turn. Redis does not hold it.
     * @param key of the answer; concurrent calls for one key and coding share the build
     * @param build builds the answer in the coding
     * @param ip the client's address
     * @param keep whether memory keeps it, and for how long, in ms. Default: until its memory is needed
     * @returns the answer with at least that coding; undefined if `build` returned that
     * @throws Overloaded, and errors of `build`
     */
    async built(
      key: string,
      coding: Coding,
      build: () => Promise<Built | undefined>,
      ip: string,
      { keep = true, ttl }: { keep?: boolean; ttl?: number } = {},
    ): Promise<BuiltAnswer | undefined> {
      const known = builds.get(key);
      if (known?.body.made(coding) !== undefined) return known;
      return building(`${coding} ${key}`, async () => {
        const built = await inTurn(ip, build);
        if (built === undefined) return undefined;
        const { etag, bytes } = built;
        const others = builds.get(key);
        // The record may have grown since the other codings were built.
        const body = others?.etag === etag ? others.body : new Coded({});
        body.put(coding, bytes);
        if (keep) builds.set(key, { etag, body }, ttl);
        return { etag, body };
      });
    },
    /** One after the other. Failures are logged and counted. Does nothing while Redis is unavailable. @throws DatabaseUnavailable */
    async refreshAhead(renderables: readonly Renderable[]): Promise<Refreshed> {
      const counts: Refreshed = { checked: 0, rendered: 0, failed: 0 };
      let until = Number.POSITIVE_INFINITY;
      restsUntil = 0;
      for (const renderable of renderables) {
        const { key, tags } = renderable;
        counts.checked += 1;
        try {
          const asOf = memory.now();
          const stored = await store.read(key, tags);
          if (stored === undefined) {
            until = 0;
            continue;
          }
          const isRendered = !isFreshAhead(stored, clock.now());
          const rendered = isRendered
            ? await render(renderable, stored, asOf, { isAhead: true })
            : stored.rendered!;
          if (isRendered) counts.rendered += 1;
          until = Math.min(until, rendered.goodUntil - aheadMs(rendered));
        } catch (error) {
          if (error instanceof DatabaseUnavailable) throw error;
          counts.failed += 1;
          until = 0;
          log.error({ err: error, key }, 'cannot refresh an answer ahead');
        }
      }
      restsUntil = until;
      return counts;
    },
    /** Reports whether an answer of the last refresh nears its end, or could not be refreshed. Bumps and lost answers do not count. */
    aheadDue: () => clock.now() >= restsUntil,
    bump: store.bump,
    renewEpoch: store.renewEpoch,
    /**
     * Computes each board for its first example, one at a time with pauses, and drops the answer. First readers then do not wait for schemas
     * and code to be compiled, team names to be indexed, or connections to load table metadata. Skips boards whose example needs a pick
     * while none exists. Stops early if PostgreSQL cannot be read.
     * @param pauseMs pause before each board, in ms
     */
    async warmUp(
      boards: readonly Pick<Board, 'renderable' | 'examples'>[],
      pauseMs: number,
      signal: AbortSignal,
    ): Promise<void> {
      const compute = async ({ renderable }: (typeof boards)[number], given: GivenParams) => {
        const context = await contextAt(clock.now());
        const board = renderable(given, context.sports);
        const output = await first((own) => board.render({ ...context, database: own }));
        await finish(board, output, context.now, { versions: [], epoch: '' }, 'quickly').body.in('br');
      };
      try {
        const values = await run(() => newestValues(database));
        for (const board of boards) {
          const given = fillIn(board.examples[0] ?? {}, values);
          if (given === undefined) continue;
          await pause(pauseMs, undefined, { signal, ref: false });
          await run(() => compute(board, given)).catch((error: unknown) => {
            if (!(error instanceof NotFound)) throw error;
          });
        }
      } catch (error) {
        if (!signal.aborted) log.debug({ err: error }, 'not warmed up');
      }
    },
    memory,
    close: store.close,
  };
}

/** Gives each task the item with the fewest running tasks, or the first of those, so that the last items stay idle under light load. */
function leastUsed<T>(items: readonly T[]) {
  const users = items.map(() => 0);
  return async <R>(work: (item: T) => Promise<R>): Promise<R> => {
    const index = users.indexOf(Math.min(...users));
    users[index]! += 1;
    try {
      return await work(items[index]!);
    } finally {
      users[index]! -= 1;
    }
  };
}

function isFresh(rendered: Rendered, stored: Stored, now: number): boolean {
  return isInTime(rendered, now) && isRenderedFrom(rendered, stored);
}

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
