import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Outcome } from '../jobs/job.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, isUnreachable } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import { get } from './alerts/call.ts';
import type { Chat } from './alerts/chat.ts';
import { tell } from './alerts/tell.ts';
import { type Check, worst } from './check.ts';
import { count, type Unsaved } from './history.ts';
import { inTime } from './in-time.ts';
import { advance } from './incidents.ts';
import { lookAll } from './look.ts';
import { freshState, type WatchState } from './state.ts';
import { copiedState, copyState, letGo, saveState, storedState } from './store.ts';
import { countOn } from './totals.ts';

export interface WatchDeps {
  checks: readonly Check[];
  /** Connections of the status worker's own. */
  database: Database;
  /** Fails fast. */
  redis: Redis;
  queues: Enqueue['queues'];
  clock: Clock;
  log: Logger;
  /** Undefined where no chat is told. */
  chat: Chat | undefined;
  /** Heads the messages: which deployment speaks. */
  heading: string;
  /** A dead man's switch. */
  heartbeat: URL | undefined;
  /** The machine's clock; default `Date.now`. */
  machineNow?: () => number;
}

/** Looks at all of the service, keeps what it finds, and tells the chat. */
export interface Watch {
  /** Looks once. Whoever calls while a round is under way gets that one. */
  round(): Promise<Outcome>;
  /** {@link round}, unless the last one began a moment ago: what calls it may call more often than needed. */
  tick(): Promise<Outcome>;
  /** Waits for what is under way, and lets another process take over. */
  close(): Promise<void>;
}

/** Two rounds begin at least so far apart when {@link Watch.tick} makes them. */
const leastApartMs = 10_000;
/** PostgreSQL may have stopped answering without a word. */
const storeMs = 6000;
const countMs = 8000;
const heartbeatEveryMs = 60_000;

/**
 * The state lives in this process and is stored after each round; while PostgreSQL is away it lives on here and in Redis, alerts go out
 * all the same, and what became of them is stored once PostgreSQL is back.
 */
export function createWatch(deps: WatchDeps): Watch {
  const { checks, database, redis, queues, clock, log, chat, heading, heartbeat } = deps;
  const { machineNow = Date.now } = deps;
  const holder = randomUUID();
  let state: WatchState | undefined;
  // The newest version that this process knows to be its own.
  let base = 0;
  let predecessor: string | undefined;
  let unsaved: Unsaved = new Map();
  let running: Promise<Outcome> | undefined;
  let beganAt = -Infinity;
  let closed = false;

  async function load(): Promise<WatchState> {
    const [stored, copied] = await Promise.all([
      inTime(storeMs, storedState(database)).catch(() => undefined),
      copiedState(redis),
    ]);
    const newest = (copied?.version ?? 0) > (stored?.version ?? 0) ? copied : stored;
    base = newest?.version ?? 0;
    predecessor = copied?.left;
    const { left: _, ...state } = newest ?? freshState();
    return state;
  }

  /** @returns whether another process is at it, so that this one has to leave it alone */
  async function save(next: WatchState): Promise<boolean> {
    state = { ...next, version: next.version + 1 };
    try {
      const saved = await inTime(storeMs, saveState(database, { state, base, unsaved, holder, predecessor }));
      if (saved === undefined) return true;
      state = saved;
      base = saved.version;
      unsaved = new Map();
    } catch (error) {
      log[isUnreachable(error) ? 'debug' : 'warn']({ err: error }, 'status could not be stored');
    }
    await copyState(redis, state);
    return false;
  }

  async function make(): Promise<Outcome> {
    state ??= await load();
    const now = clock.now();
    const { checks: kept } = state;
    const found = await lookAll(
      checks,
      { database, redis, queues, now, machineNow: machineNow(), before: (name) => kept[name]?.remember },
      log,
    );
    count(unsaved, found, now);
    const counted = await inTime(countMs, countOn(database, state.counted, now)).catch(() => undefined);
    const next = { ...state, ...counted, ...advance(state, found, now, randomUUID), at: now };
    if (await save(next)) {
      // Whatever the other one finds is read when it is this one's turn.
      state = undefined;
      unsaved = new Map();
      return { watching: false };
    }
    const told = await tell(state, chat, heading, now);
    const beaten = await beat({ ...state, ...told }, now);
    if (told !== undefined || beaten)
      await save({ ...state, ...told, heartbeatAt: beaten ? now : state.heartbeatAt });
    const open = state.incidents.filter(({ closedAt }) => closedAt === null).length;
    return { watching: true, status: worst(Object.values(state.checks).map(({ status }) => status)), open };
  }

  /** Calls the dead man's switch where all is well and the chat was told everything. */
  async function beat({ incidents, heartbeatAt, chat: telling }: WatchState, now: number): Promise<boolean> {
    const isWell = incidents.every(({ closedAt }) => closedAt !== null) && telling.failures === 0;
    if (heartbeat === undefined || !isWell || now - heartbeatAt < heartbeatEveryMs) return false;
    const { status, error } = await get(heartbeat);
    const heard = status >= 200 && status < 300;
    if (!heard) log.warn({ status, err: error }, 'the heartbeat was not heard');
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
        return { looked: false };
      return round();
    },
    async close() {
      closed = true;
      await running?.catch(() => {});
      await inTime(storeMs, letGo(database, holder)).catch(() => {});
      // Where PostgreSQL is away the next process learns it from the copy.
      if (state !== undefined) await copyState(redis, { ...state, left: holder });
    },
  };
}
