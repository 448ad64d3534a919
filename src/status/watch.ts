import { randomUUID } from 'node:crypto';
import { cancelled, type Outcome, ok } from '../jobs/job.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, isUnreachable } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { RedisClient } from '../platform/redis.ts';
import { withTimeout } from '../platform/timeout.ts';
import { type Chat, get, notify } from './alerts.ts';
import { type Check, runChecks, worst } from './check.ts';
import { count, type Unsaved } from './history.ts';
import { advance } from './incidents.ts';
import { initialState, type WatchState } from './state.ts';
import { mirroredState, mirrorState, releaseLease, saveState, storedState } from './store.ts';
import { countTotals } from './totals.ts';

export interface WatchDeps {
  checks: readonly Check[];
  /** Resolves when PostgreSQL answers on a new connection. */
  probe(): Promise<void>;
  /** Dedicated connections of the status worker. */
  database: Database;
  /** Fails fast. */
  redis: RedisClient;
  /** Like {@link redis}, for rendered boards. Default: {@link redis}. */
  cacheRedis?: RedisClient;
  queues: Enqueue['queues'];
  clock: Clock;
  log: Logger;
  /** Undefined if no chat is configured. */
  chat: Chat | undefined;
  /** First line of every message; names the deployment. */
  heading: string;
  /** Address of the site, for links in alerts. Default: no links. */
  baseUrl?: string;
  /**
   * Called after the open incidents in PostgreSQL changed, and once after the start, because the previous process may have changed them
   * without calling it.
   */
  onIncidents?(): Promise<void>;
  /** Reports whether the service is still starting, so that no incident opens. Default: never. */
  isStarting?(now: number): Promise<boolean>;
  /** A dead man's switch, called while no incident is open. */
  heartbeat: URL | undefined;
  /** The machine's clock; default `Date.now`. */
  machineNow?: () => number;
}

/** Runs all checks, stores their findings, and sends alerts. */
export interface Watch {
  /** Runs one round. A call during a round shares that round. */
  round(): Promise<Outcome>;
  /** Like {@link round}, but does nothing within 10 seconds of the last round. */
  tick(): Promise<Outcome>;
  /** Waits for a round in progress and releases the lease. */
  close(): Promise<void>;
}

/** Shortest interval between rounds started by {@link Watch.tick}, in ms. */
const leastApartMs = 10_000;
/** Timeout of PostgreSQL, in ms: it may hang without closing the connection. */
const storeMs = 6000;
const heartbeatEveryMs = 60_000;

/**
 * Keeps the state in memory and stores it after each round. While PostgreSQL is unavailable, the state is in memory and in Redis, and
 * alerts still go out. Their outcome is stored once PostgreSQL is back.
 */
export function createWatch(deps: WatchDeps): Watch {
  const { checks, probe, database, redis, queues, clock, log, chat, heading, heartbeat } = deps;
  const { machineNow = Date.now, cacheRedis = redis } = deps;
  const holder = randomUUID();
  let state: WatchState | undefined;
  // The newest version that this process stored or loaded.
  let base = 0;
  let predecessor: string | undefined;
  let unsaved: Unsaved = new Map();
  let running: Promise<Outcome> | undefined;
  // The open incidents published last.
  let published: string | undefined;
  let beganAt = -Infinity;
  let closed = false;

  async function load(): Promise<WatchState> {
    const [stored, copied] = await Promise.all([
      withTimeout(storedState(database), storeMs).catch(() => undefined),
      mirroredState(redis).catch(() => undefined),
    ]);
    const newest = (copied?.version ?? 0) > (stored?.version ?? 0) ? copied : stored;
    base = newest?.version ?? 0;
    predecessor = copied?.left;
    const { left: _, ...state } = newest ?? initialState();
    return state;
  }

  /** @returns whether another process holds the lease */
  async function save(next: WatchState): Promise<boolean> {
    state = { ...next, version: next.version + 1 };
    try {
      const saved = await withTimeout(
        saveState(database, { state, base, unsaved, holder, predecessor }),
        storeMs,
      );
      if (saved === undefined) return true;
      state = saved;
      base = saved.version;
      unsaved = new Map();
    } catch (error) {
      log[isUnreachable(error) ? 'debug' : 'warn']({ err: error }, 'cannot store the status');
    }
    await mirrorState(redis, state);
    return false;
  }

  async function make(): Promise<Outcome> {
    state ??= await load();
    const now = clock.now();
    const { checks: kept } = state;
    const { counted: before } = state;
    let counted: Awaited<ReturnType<typeof countTotals>> | undefined;
    const totals = {
      about: 'totals',
      async run(given: Database) {
        counted = await countTotals(given, before, now);
      },
    };
    const context = { database, probe, redis, cacheRedis, queues, now, machineNow: machineNow() };
    const found = await runChecks(checks, { ...context, before: (name) => kept[name]?.remember }, log, [
      totals,
    ]);
    count(unsaved, found, now);
    const isStarting = (await deps.isStarting?.(now)) ?? false;
    const next = { ...state, ...counted, ...advance(state, found, now, randomUUID, isStarting), at: now };
    if (await save(next)) {
      // The other process's state is loaded when this process gets the lease.
      state = undefined;
      unsaved = new Map();
      return cancelled('another process watches');
    }
    await publish(state);
    const notified = await notify(state, chat, heading, now, deps.baseUrl);
    const beaten = await beat({ ...state, ...notified }, now);
    if (notified !== undefined || beaten)
      await save({ ...state, ...notified, heartbeatAt: beaten ? now : state.heartbeatAt });
    const open = state.incidents.filter(({ closedAt }) => closedAt === null).length;
    return ok({ status: worst(Object.values(state.checks).map(({ status }) => status)), open });
  }

  /** Waits until PostgreSQL has the incidents, because pages show the stored ones. */
  async function publish({ incidents, version }: WatchState): Promise<void> {
    const open = incidents.flatMap(({ check, status, openedAt, closedAt }) =>
      closedAt === null ? `${check} ${status} ${openedAt}` : [],
    );
    const next = open.sort().join('\n');
    if (version !== base || next === published) return;
    await deps.onIncidents?.();
    published = next;
  }

  /** Calls the dead man's switch if no incident is open and the chat accepted every message. */
  async function beat({ incidents, heartbeatAt, chat: telling }: WatchState, now: number): Promise<boolean> {
    const isHealthy = incidents.every(({ closedAt }) => closedAt !== null) && telling.failures === 0;
    if (heartbeat === undefined || !isHealthy || now - heartbeatAt < heartbeatEveryMs) return false;
    const { status, error } = await get(heartbeat);
    const heard = status >= 200 && status < 300;
    if (!heard) log.warn({ status, err: error }, 'cannot reach the heartbeat address');
    return heard;
  }

  function round(): Promise<Outcome> {
    beganAt = performance.now();
    running ??= make().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    round,
    async tick() {
      if (closed || (running === undefined && performance.now() - beganAt < leastApartMs))
        return cancelled('the last round began a moment ago');
      return round();
    },
    async close() {
      closed = true;
      await running?.catch(() => {});
      await withTimeout(releaseLease(database, holder), storeMs).catch(() => {});
      // While PostgreSQL is unavailable, the mirror informs the next process.
      if (state !== undefined) await mirrorState(redis, { ...state, left: holder });
    },
  };
}
