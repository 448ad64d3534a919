import { randomUUID } from 'node:crypto';
import { cancelled, type Outcome, ok } from '../jobs/job.ts';
import type { Clock } from '../platform/clock.ts';
import { isUnreachable } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import { withTimeout } from '../platform/timeout.ts';
import { type Chat, call, notify } from './alerts.ts';
import { type Check, type CheckContext, runChecks, worst } from './check.ts';
import { count, type Unsaved } from './history.ts';
import { advance } from './incidents.ts';
import { claimWatch, initialState, joined, releaseWatch, saveState, type WatchState } from './state.ts';

export interface WatchDeps extends Pick<CheckContext, 'probe' | 'database' | 'redis' | 'queues'> {
  checks: readonly Check[];
  /** Like `redis`, for rendered boards. Default: `redis`. */
  cacheRedis?: CheckContext['redis'];
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
  /** Default: `Date.now`. */
  machineNow?: () => number;
}

export type Watch = ReturnType<typeof createWatch>;

/** Shortest interval between rounds started by `tick`, in ms. */
const leastApartMs = 10_000;
/** Timeout of PostgreSQL, in ms: it may hang without closing the connection. */
const storeMs = 6000;
const heartbeatEveryMs = 60_000;
/** How long a process that may not watch remembers what it has seen, in ms: longer than the claim of a killed one lasts. */
const rememberedMs = 90_000;

/** Keeps the state in memory and stores it after each round. While PostgreSQL is unavailable, alerts still go out; it stores them once it is back. */
export function createWatch(deps: WatchDeps) {
  const { checks, probe, database, redis, queues, clock, log, chat, heading, heartbeat } = deps;
  const { machineNow = Date.now, cacheRedis = redis } = deps;
  const holder = randomUUID();
  let state: WatchState | undefined;
  let unsaved: Unsaved = new Map();
  let running: Promise<Outcome> | undefined;
  // The open incidents published last.
  let published: string | undefined;
  let beganAt = -Infinity;
  let closed = false;

  /** Reads or writes the stored state. @returns undefined while PostgreSQL is unavailable */
  const stored = <T>(work: Promise<T>): Promise<{ found: T } | undefined> =>
    withTimeout(work, storeMs).then(
      (found) => ({ found }),
      (error) => {
        log[isUnreachable(error) ? 'debug' : 'warn']({ err: error }, 'cannot read or store the status');
        return undefined;
      },
    );

  async function save(next: WatchState): Promise<'stored' | 'lost' | 'away'> {
    state = next;
    const saved = await stored(saveState(database, next, unsaved, holder));
    if (saved === undefined) return 'away';
    if (saved.found) unsaved = new Map();
    return saved.found ? 'stored' : 'lost';
  }

  /** Forgets what this process knows. Not at once: if the other one was killed, its claim is about to end. */
  function standBy(now: number): Outcome {
    if (state !== undefined && now - state.at > rememberedMs) state = undefined;
    unsaved = new Map();
    return cancelled('another process watches');
  }

  async function make(): Promise<Outcome> {
    const now = clock.now();
    const claimed = await stored(claimWatch(database, holder, now, state !== undefined));
    if (claimed !== undefined && claimed.found === undefined) return standBy(now);
    const other = claimed?.found;
    if (typeof other === 'object') state = state === undefined ? other : joined(other, state);
    const before = state ?? initialState();
    const context = { database, probe, redis, cacheRedis, queues, now, machineNow: machineNow() };
    const remembered = (name: string) => before.checks[name]?.remember;
    const found = await runChecks(checks, { ...context, before: remembered }, log);
    count(unsaved, found, now);
    const isStarting = (await deps.isStarting?.(now)) ?? false;
    const next = { ...before, ...advance(before, found, now, randomUUID, isStarting), at: now };
    const saved = await save(next);
    if (saved === 'lost') return standBy(now);
    // Pages show the stored incidents.
    if (saved === 'stored') await publish(next);
    const notified = await notify(next, chat, heading, now, deps.baseUrl);
    const beaten = await beat({ ...next, ...notified }, now);
    if (notified !== undefined || beaten)
      await save({ ...next, ...notified, heartbeatAt: beaten ? now : next.heartbeatAt });
    const open = next.incidents.filter(({ closedAt }) => closedAt === null).length;
    return ok({ status: worst(Object.values(next.checks).map(({ status }) => status)), open });
  }

  async function publish({ incidents }: WatchState): Promise<void> {
    const open = incidents.flatMap(({ check, status, openedAt, closedAt }) =>
      closedAt === null ? `${check} ${status} ${openedAt}` : [],
    );
    const next = open.sort().join('\n');
    if (next === published) return;
    await deps.onIncidents?.();
    published = next;
  }

  async function beat({ incidents, heartbeatAt, chat: telling }: WatchState, now: number): Promise<boolean> {
    const isHealthy = incidents.every(({ closedAt }) => closedAt !== null) && telling.failures === 0;
    if (heartbeat === undefined || !isHealthy || now - heartbeatAt < heartbeatEveryMs) return false;
    const { status, error } = await call(heartbeat);
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
    /** A call during a round shares that round. */
    round,
    /** Like `round`, but does nothing within 10 seconds of the last round. */
    async tick(): Promise<Outcome> {
      if (closed || (running === undefined && performance.now() - beganAt < leastApartMs))
        return cancelled('the last round began a moment ago');
      return round();
    },
    /** Waits for a round in progress, and lets another process watch. */
    async close(): Promise<void> {
      closed = true;
      await running?.catch(() => {});
      await withTimeout(releaseWatch(database, holder), storeMs).catch(() => {});
    },
  };
}
