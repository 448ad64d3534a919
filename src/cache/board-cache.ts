import type { Redis } from 'ioredis';
import type { Board, BoardFormat } from '../boards/board.ts';
import { NotFound } from '../boards/board.ts';
import { createCatalog } from '../boards/catalog.ts';
import { type GivenParams, paramsReader } from '../boards/read-params.ts';
import { type Availability, LedgerUnavailable } from '../platform/availability.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { isUnreachable } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import { singleFlight } from '../platform/single-flight.ts';
import type { Changes } from './changes.ts';
import { createMemory, type Memory } from './memory.ts';
import { type Refreshed, refreshAhead } from './refresh-ahead.ts';
import { render, type Target, targetOf } from './render.ts';
import { isInTime, type Rendered } from './rendered.ts';
import { createStaleness } from './staleness.ts';
import { createStore, type Found } from './store.ts';

export interface BoardCacheDeps {
  /** A connection that fails fast. */
  redis: Redis;
  database: Database;
  clock: Clock;
  /** Where permalinks begin. */
  baseUrl: string;
  /** Where people find help with gambling: the line as it is said. */
  helpLine: string;
  log: Logger;
  /** Without it a PostgreSQL that is away is only noticed by each read's own error. */
  availability?: Availability;
  /** Without it nothing is answered from this process's memory. */
  changes?: Changes;
  /** Bytes of this process's memory for answers; default 64 MiB. */
  memoryBytes?: number;
  /** Bytes of Redis for answers that readers asked for, per three hours; default 256 MiB. */
  redisBytes?: number;
  /** Milliseconds that a reader waits for a stale answer to be refreshed before getting the stale one; default 150. */
  patienceMs?: number;
}

/** A board's answer and where it came from. */
export interface Answer {
  rendered: Rendered;
  /** It is known not to hold any more, and nothing better was to be had in time. */
  stale: boolean;
  source: 'memory' | 'redis' | 'rendered';
}

export interface BoardCache {
  /**
   * A board's answer, or one of its formats', for parameters as a reader gave them: from memory, from Redis, or computed.
   * @throws InvalidParams, NotFound; LedgerUnavailable when it would have to be computed and cannot
   */
  answer(board: Board, given: GivenParams, format?: BoardFormat): Promise<Answer>;
  /**
   * Renders what is declared to be computed ahead and is stale, or soon will be.
   * @throws LedgerUnavailable
   */
  refreshStale(boards: readonly Board[]): Promise<Refreshed>;
  /**
   * Makes everything stale that rests on one of these tags: to be called after the transaction that changed it has committed.
   * Never rejects: while Redis is away it is made up for later.
   * @param version where the log stands
   */
  bump(tags: Iterable<string>, version: number): Promise<void>;
  /**
   * Makes everything stale, now and whenever the connection to Redis is made anew: for whoever calls {@link bump}, at its start.
   * Never rejects.
   */
  renewEpoch(): Promise<void>;
  /** The answers in this process's memory. */
  memory: Memory;
  /** Stops what goes on by itself; connections stay open. */
  close(): Promise<void>;
}

/** While Redis is away an answer is shared for this long. */
const heldWithoutRedisMs = 1000;

/** The rendered boards: in this process, in Redis, and computed where neither has them fresh. */
export function createBoardCache(deps: BoardCacheDeps): BoardCache {
  const { redis, database, clock, baseUrl, helpLine, log, availability, changes } = deps;
  const { memoryBytes = 64 * 2 ** 20, redisBytes = 256 * 2 ** 20, patienceMs = 150 } = deps;
  const store = createStore(redis, log, redisBytes);
  const staleness = createStaleness(redis, store);
  const memory = createMemory(clock, changes, memoryBytes);
  const catalog = createCatalog(database, needingLedger);
  const readers = new Map<Board, ReturnType<typeof paramsReader>>();
  const finding = singleFlight<Answer>();
  const rendering = singleFlight<Rendered>();

  async function needingLedger<T>(work: () => Promise<T>): Promise<T> {
    if (availability !== undefined) return availability.run(work);
    try {
      return await work();
    } catch (error) {
      throw isUnreachable(error) ? new LedgerUnavailable(error) : error;
    }
  }

  async function target(board: Board, given: GivenParams, format?: BoardFormat): Promise<Target> {
    const read = readers.get(board) ?? paramsReader(board.params);
    readers.set(board, read);
    const sports = await catalog.sports().catch((error: unknown) => {
      // What is cached can still be answered; anything else will find the ledger away soon enough.
      if (error instanceof LedgerUnavailable) return undefined;
      throw error;
    });
    return targetOf(board, read(given, sports) as Record<string, unknown>, format);
  }

  /** Computes a target once for all who ask, and keeps it as far as it may be kept. */
  function renderOnce(
    wanted: Target,
    found: Found | undefined,
    mark: number | undefined,
    ahead: boolean,
  ): Promise<Rendered> {
    return rendering(wanted.key, () =>
      needingLedger(async () => {
        const context = { database, now: clock.now(), baseUrl, helpLine, sports: await catalog.sports() };
        const { rendered, mayKeep } = await render(wanted, context, found ?? { epoch: '', versions: [] });
        if (mayKeep && found === undefined) memory.put(rendered, undefined, heldWithoutRedisMs);
        if (mayKeep && found !== undefined) {
          memory.put(rendered, mark);
          await store.write(rendered, ahead);
        }
        return rendered;
      }),
    );
  }

  async function find(wanted: Target): Promise<Answer> {
    const mark = changes?.mark();
    const found = await store.read(wanted.key, wanted.tags);
    const stored = found?.rendered;
    if (found !== undefined && stored !== undefined && isFresh(stored, found, clock.now())) {
      memory.put(stored, mark);
      return { rendered: stored, stale: false, source: 'redis' };
    }
    const rendered = renderOnce(wanted, found, mark, false);
    try {
      const refreshed = await (stored === undefined ? rendered : inTime(rendered, patienceMs));
      if (refreshed !== undefined) return { rendered: refreshed, stale: false, source: 'rendered' };
      rendered.catch((error) => {
        if (!(error instanceof LedgerUnavailable))
          log.error({ err: error, key: wanted.key }, 'refresh failed');
      });
    } catch (error) {
      if (error instanceof NotFound || (stored ?? memory.any(wanted.key)) === undefined) throw error;
      if (!(error instanceof LedgerUnavailable)) log.error({ err: error, key: wanted.key }, 'refresh failed');
    }
    if (stored !== undefined) return { rendered: stored, stale: true, source: 'redis' };
    return { rendered: memory.any(wanted.key) as Rendered, stale: true, source: 'memory' };
  }

  return {
    async answer(board, given, format) {
      const wanted = await target(board, given, format);
      const remembered = memory.fresh(wanted.key);
      if (remembered !== undefined) return { rendered: remembered, stale: false, source: 'memory' };
      return finding(wanted.key, () => find(wanted));
    },
    refreshStale: (boards) =>
      refreshAhead(boards, {
        target,
        find: (wanted) => store.read(wanted.key, wanted.tags),
        // A margin, so that an answer is renewed before its readers find it too old.
        isFresh: (stored, found) => isFresh(stored, found, clock.now() + marginMs(stored)),
        render: (wanted, found) => renderOnce(wanted, found, changes?.mark(), true),
        log,
      }),
    bump: staleness.bump,
    renewEpoch: staleness.renewEpoch,
    memory,
    async close() {
      staleness.close();
      changes?.close();
      availability?.close();
    },
  };
}

function isFresh(rendered: Rendered, { epoch, versions }: Found, now: number): boolean {
  return (
    isInTime(rendered, now) &&
    rendered.epoch === epoch &&
    rendered.versions.length === versions.length &&
    rendered.versions.every((version, index) => version === versions[index])
  );
}

function marginMs({ lifetime }: Rendered): number {
  return Math.min(lifetime * 500, 30_000);
}

/** What a promise gives if it does so in time, else undefined. */
async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
