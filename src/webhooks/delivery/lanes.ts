import { type Lane, laneNames } from '../../jobs/declared.ts';
import { createFairQueue, type FairQueue } from '../../platform/fair-queue.ts';
import { createLimiter, type Limiter, Overloaded } from '../../platform/limiter.ts';
import type { Attempt } from '../client/attempt.ts';
import { type Limited, ownPermits, type Permits } from './permits.ts';

/** How fast a request was, which sets the concurrency of its host. */
export type Pace = 'quick' | 'slow' | 'failed';

/** Duration above which a receiver counts as slow, in ms. */
const quickMs = 2_000;

/** An answer shows that the host works, whatever its status: other subscriptions may share it. A fault of ours says nothing. */
export function paceOf({ status, durationMs, ours }: Attempt): Pace | undefined {
  if (ours) return undefined;
  if (status === null) return 'failed';
  return durationMs > quickMs ? 'slow' : 'quick';
}

/** Ends a request. Without a pace, the request says nothing about its host. */
export type Leave = (pace?: Pace) => void;

export interface Visit extends Limited {
  /** The client address that subscribed. Addresses take turns. */
  client: string;
}

/** Limits concurrent requests per lane of this process, and all requests per host over all processes. Lanes do not wait for one another. */
export type Lanes = ReturnType<typeof createLanes>;

/** Concurrent requests of this process. */
const laneLimits: Record<Lane, number> = { healthy: 256, slow: 128, chat: 16, push: 64 };

export const maxRequests = Object.values(laneLimits).reduce((sum, limit) => sum + limit, 0);

/**
 * Concurrent requests per host. A quick answer adds one; a slow or missing one leaves a single one. A hanging host thus takes two slots of
 * its lane, however many subscriptions it has.
 */
const hostLimits = { initial: 2, min: 1, max: 8 };

const rememberedMs = 60_000;

interface Host {
  /** Lets one address after the other wait for a permit. */
  turns: FairQueue;
  size: number;
  running: number;
  slow: boolean;
  /** Lets the one that waits for a permit try again. */
  wake(): void;
  users: number;
  forget?: NodeJS.Timeout;
}

/** @param permits counts requests of all processes; default: of this process */
export function createLanes(permits: Permits = ownPermits()) {
  const lanes = Object.fromEntries(
    laneNames.map((lane) => [lane, createLimiter(laneLimits[lane])]),
  ) as Record<Lane, Limiter>;
  const hosts = new Map<string, Host>();
  let isStopped = false;

  const hostOf = (key: string): Host => {
    const known = hosts.get(key);
    if (known !== undefined) return known;
    const all = { waiting: Number.POSITIVE_INFINITY, waitingPerClient: Number.POSITIVE_INFINITY };
    const turns = createFairQueue({ running: 1, runningPerClient: 1, ...all });
    const host = { turns, size: hostLimits.initial, running: 0, slow: false, wake() {}, users: 0 };
    hosts.set(key, host);
    return host;
  };

  const forget = (key: string, host: Host) => {
    host.users -= 1;
    if (host.users > 0) return;
    host.forget = setTimeout(() => hosts.delete(key), rememberedMs).unref();
  };

  const admit = async (lane: Lane, visit: Visit, host: Host, until: number) => {
    for (;;) {
      if (isStopped) return 'late';
      if (lane === 'healthy' && host.slow) return 'slow';
      let leftMs = until - performance.now();
      if (host.running < host.size) {
        const permit = await take(permits, visit, host.slow ? hostLimits.min : hostLimits.max);
        if (typeof permit === 'string') return { permit };
        if (permit > leftMs) return 'late';
        leftMs = permit;
      }
      if (leftMs <= 0) return 'late';
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.ceil(leftMs)).unref();
        host.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };

  return {
    /**
     * Waits for a slot, first for the host's permit, so that waiting for a host takes no slot of the lane.
     * @param waitMs longest wait for the host, in ms
     * @returns `late` after that time; `slow`, in the healthy lane, if the last request to the host failed or was slow
     */
    async enter(lane: Lane, visit: Visit, waitMs: number): Promise<Leave | 'late' | 'slow'> {
      const { key } = visit;
      const host = hostOf(key);
      clearTimeout(host.forget);
      host.users += 1;
      const until = performance.now() + waitMs;
      const admitted = await host.turns
        .run(
          visit.client,
          async () => {
            const outcome = await admit(lane, visit, host, until);
            if (typeof outcome !== 'string') host.running += 1;
            return outcome;
          },
          waitMs,
        )
        .catch((error: unknown) => {
          if (!(error instanceof Overloaded)) throw error;
          return 'late' as const;
        });
      if (typeof admitted === 'string') {
        forget(key, host);
        return admitted;
      }
      await lanes[lane].acquire();
      return (pace) => {
        lanes[lane].release();
        permits.giveBack(visit, admitted.permit);
        host.running -= 1;
        if (pace !== undefined) {
          host.slow = pace !== 'quick';
          host.size = host.slow ? hostLimits.min : Math.min(host.size + 1, hostLimits.max);
        }
        host.wake();
        forget(key, host);
      };
    },
    /** Takes a permit if there is one now. @returns the time until there may be one, in ms; 0: taken */
    async takeNow(limited: Limited): Promise<number> {
      const permit = await permits.take(limited, Number.MAX_SAFE_INTEGER);
      return typeof permit === 'string' ? 0 : permit;
    },
    /** Undoes {@link takeNow} if no request followed, or if it was accepted. */
    undo: permits.undo,
    /** Ends all current and future waits for a host with `late`, for shutdown. */
    stop(): void {
      isStopped = true;
      for (const host of hosts.values()) host.wake();
    },
  };
}

/** Takes a permit, and one of the limit that it shares with others, or neither. */
async function take(permits: Permits, limited: Limited, atOnce: number): Promise<string | number> {
  const { within } = limited;
  if (within === undefined) return permits.take(limited, atOnce);
  const shared = await permits.take(within, Number.MAX_SAFE_INTEGER);
  if (typeof shared === 'number') return shared;
  permits.giveBack(within, shared);
  const own = await permits.take(limited, atOnce);
  if (typeof own === 'number') permits.undo(within);
  return own;
}
