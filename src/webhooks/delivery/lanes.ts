import { createLimiter, type Limiter } from '../../platform/limiter.ts';
import type { Attempt } from '../client/client.ts';

/** Lanes do not wait for one another: receivers that answer quickly, those that failed or were slow last time, chat platforms. */
export type Lane = 'healthy' | 'slow' | 'chat';

/** How a request went, which sets how many its host is sent at once. */
export type Pace = 'quick' | 'slow' | 'failed';

/** A receiver that takes longer than this, in milliseconds, is slow. */
const quickMs = 2_000;

/** An answer shows that the host is well, whatever its status: others may share it. A fault of our own says nothing about it. */
export function paceOf({ status, durationMs, ours }: Attempt): Pace | undefined {
  if (ours) return undefined;
  if (status === null) return 'failed';
  return durationMs > quickMs ? 'slow' : 'quick';
}

/** Gives the slot back when the request is over: call it once. Without a pace the request says nothing about its host. */
export type Leave = (pace?: Pace) => void;

/** Bounds the requests at once in each lane and to each host. */
export interface Lanes {
  /**
   * Waits for a slot: the host's first, so that waiting for a host takes no slot of the lane.
   * @param waitMs milliseconds to wait for the host at most
   * @returns `late` after that time; `slow`, in the healthy lane, when the last request to the host failed or was slow
   */
  enter(lane: Lane, host: string, waitMs: number): Promise<Leave | 'late' | 'slow'>;
}

/** Requests at once in each lane. */
const laneLimits: Record<Lane, number> = { healthy: 256, slow: 128, chat: 16 };

/** Requests at once in all lanes. */
export const maxRequests = laneLimits.healthy + laneLimits.slow + laneLimits.chat;

/**
 * Requests at once to one host. A quick answer adds a slot; a slow one, or none, leaves a single slot. So a host that hangs takes two
 * slots of its lane, however many subscriptions it has.
 */
const hostLimits = { initial: 2, min: 1, max: 8 };

interface Host {
  limiter: Limiter;
  slow: boolean;
}

export function createLanes(): Lanes {
  const lanes = {
    healthy: createLimiter(laneLimits.healthy),
    slow: createLimiter(laneLimits.slow),
    chat: createLimiter(laneLimits.chat),
  };
  const hosts = new Map<string, Host>();
  const hostOf = (name: string) => {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    const host = { limiter: createLimiter(hostLimits.initial), slow: false };
    hosts.set(name, host);
    return host;
  };
  return {
    async enter(lane, name, waitMs) {
      const host = hostOf(name);
      if (lane === 'healthy' && host.slow) return 'slow';
      if (!(await host.limiter.acquire({ waitMs, cancellable: lane === 'healthy' })))
        return lane === 'healthy' && host.slow ? 'slow' : 'late';
      await lanes[lane].acquire();
      return (pace) => {
        lanes[lane].release();
        if (pace !== undefined) adapt(host, pace);
        host.limiter.release();
      };
    },
  };
}

function adapt(host: Host, pace: Pace): void {
  host.slow = pace !== 'quick';
  host.limiter.resize(host.slow ? hostLimits.min : Math.min(host.limiter.size + 1, hostLimits.max));
  // Its waiters move to the slow lane at once.
  if (host.slow) host.limiter.cancel();
}
