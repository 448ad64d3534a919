import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFollower, type Follower, type Wanted } from './follower.ts';
import { type LogReader, openTail, type Tail } from './tail.ts';

export class BeyondLog extends Error {
  override name = 'BeyondLog';
  readonly last: number;

  constructor(last: number) {
    super(`the last entry is ${last}`);
    this.last = last;
  }
}

/** All clients of this process that follow the log. It reads the log only while it has clients. */
export type Hub = ReturnType<typeof createHub>;

export interface HubOptions {
  /** Interval between checks of the log if nothing wakes the hub, in ms; default 2000. */
  pollMs?: number;
  /** Interval between comments to a client, in ms; default 15,000. */
  beatMs?: number;
  /** Called with read errors; the next poll retries. Default: no-op. */
  onError?: (error: unknown) => void;
}

/** Average delay before a client reconnects, in ms. It varies, so that clients do not all reconnect at once. */
const retryMs = 2_000;
/** Clients written to in one turn of the event loop. */
const perTurn = 250;
const cutOffMs = 2_000;

export function createHub(log: LogReader, options: HubOptions = {}) {
  const { pollMs = 2_000, beatMs = 15_000, onError = () => {} } = options;
  const followers = new Set<Follower>();
  let opened: Promise<Tail> | undefined;
  let coming = 0;
  let closed = false;
  let timers: NodeJS.Timeout[] = [];

  async function each(call: (follower: Follower) => void): Promise<void> {
    let count = 0;
    for (const follower of [...followers]) {
      if (followers.has(follower)) call(follower);
      count += 1;
      if (count % perTurn === 0) await nextTurn();
    }
  }

  async function readOn(): Promise<void> {
    if (followers.size === 0 && coming === 0) return stop();
    try {
      const tail = await opened;
      await tail?.advance();
    } catch (error) {
      onError(error);
    }
    await each((follower) => follower.wake());
  }

  function start(): Promise<Tail> {
    if (opened !== undefined) return opened;
    timers = [
      setInterval(() => void readOn(), pollMs).unref(),
      setInterval(() => void each((follower) => follower.beat()), beatMs).unref(),
    ];
    opened = openTail(log);
    opened.catch(stop);
    return opened;
  }

  function stop(): void {
    for (const timer of timers) clearInterval(timer);
    opened = undefined;
  }

  return {
    /** @param after the last seq that the client has. Default: the log's last. @throws BeyondLog, and errors of reading */
    async follow(after: number | undefined, wanted: Wanted): Promise<Follower['body']> {
      coming += 1;
      try {
        const tail = await start();
        // Another process may have read further.
        if (after !== undefined && after >= tail.end()) await tail.advance();
        if (after !== undefined && after >= tail.end()) throw new BeyondLog(tail.end() - 1);
        const next = after === undefined ? tail.end() : after + 1;
        const follower = createFollower(tail, { next, wanted, retryMs: spread() });
        if (closed) follower.end(spread());
        followers.add(follower);
        follower.body.once('close', () => followers.delete(follower));
        return follower.body;
      } finally {
        coming -= 1;
      }
    },
    wake(): void {
      if (opened !== undefined) void readOn();
    },
    count: () => followers.size,
    /** Accepts no further clients. Connections that do not close are cut after two seconds. */
    close(): void {
      closed = true;
      stop();
      for (const { end } of followers) end(spread());
      setTimeout(() => {
        for (const { body } of followers) body.destroy();
      }, cutOffMs).unref();
    },
  };
}

function spread(): number {
  return Math.round(retryMs * (0.5 + Math.random()));
}
