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
  /** Connections of the status worker's own. */
  database: Database;
  /** Fails fast. */
  redis: RedisClient;
  /** Like {@link redis}, for rendered boards. Default: the same one. */
  cacheRedis?: RedisClient;
  queues: Enqueue['queues'];
  clock: Clock;
  log: Logger;
  /** Undefined if no chat is configured. */
  chat: Chat | undefined;
  /** The first line of every message: names the deployment. */
  heading: string;
  /** Address of the site, for links in alerts. Default: no links. */
  baseUrl?: string;
  /**
   * Called after the open incidents in PostgreSQL have changed, and once after the start: the previous process may have changed them
   * without calling it.
   */
  onIncidents?(): Promise<void>;
  /** Returns whether the service is still starting: no incident opens then. Default: it never is. */
  isStarting?(now: number): Promise<boolean>;
  /** A dead man's switch: called while no incident is open. */
  heartbeat: URL | undefined;
  /** The machine's clock; default `Date.now`. */
  machineNow?: () => number;
}

/** Runs all checks, stores what they find and sends alerts. */
export interface Watch {
  /** Runs one round. A call during a round shares that round. */
  round(): Promise<Outcome>;
  /** Like {@link round}, but does nothing within 10 seconds of the last one. */
  tick(): Promise<Outcome>;
  /** Waits for a round in progress and releases the lease. */
  close(): Promise<void>;
}

/** The least interval between rounds that {@link Watch.tick} starts. */
const leastApartMs = 10_000;
/** PostgreSQL may hang without closing the connection. */
const storeMs = 6000;
const heartbeatEveryMs = 60_000;

/**
 * Keeps the state in memory and stores it after each round. While PostgreSQL is unavailable the state lives in memory
 * and in Redis, alerts still go out, and their outcome is stored once PostgreSQL is back.
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
  // The open incidents that were published last.
  let published: string | undefined;
  let beganAt = -Infinity;
  let closed = false;

  async function load(): Promise<WatchState> {
    const [stored, copied] = await Promise.all([
      withTimeout(storedState(database), storeMs).catch(() => undefined),
      mirroredState(redis),
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
      log[isUnreachable(error) ? 'debug' : 'warn']({ err: error }, 'status could not be stored');
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
      // The other process's state is loaded when this one gets the lease.
      state = undefined;
      unsaved = new Map();
      return cancelled('another process watches');
    }
    await publish(state);
    const told = await notify(state, chat, heading, now, deps.baseUrl);
    const beaten = await beat({ ...state, ...told }, now);
    if (told !== undefined || beaten)
      await save({ ...state, ...told, heartbeatAt: beaten ? now : state.heartbeatAt });
    const open = state.incidents.filter(({ closedAt }) => closedAt === null).length;
    return ok({ status: worst(Object.values(state.checks).map(({ status }) => status)), open });
  }

  /** Pages show stored incidents, so this waits until PostgreSQL has them. */
  async function publish({ incidents, version }: WatchState): Promise<void> {
    const open = incidents.flatMap(({ check, status, openedAt, closedAt }) =>
      closedAt === null ? `${check} ${status} ${openedAt}` : [],
    );
    const next = open.sort().join('\n');
    if (version !== base || next === published) return;
    await deps.onIncidents?.();
    published = next;
  }

  /** Calls the dead man's switch if no incident is open and the chat has accepted every message. */
  async function beat({ incidents, heartbeatAt, chat: telling }: WatchState, now: number): Promise<boolean> {
    const isHealthy = incidents.every(({ closedAt }) => closedAt !== null) && telling.failures === 0;
    if (heartbeat === undefined || !isHealthy || now - heartbeatAt < heartbeatEveryMs) return false;
    const { status, error } = await get(heartbeat);
    const heard = status >= 200 && status < 300;
    if (!heard) log.warn({ status, err: error }, 'heartbeat failed');
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
      // While PostgreSQL is unavailable, the mirror tells the next process.
      if (state !== undefined) await mirrorState(redis, { ...state, left: holder });
    },
  };
}
