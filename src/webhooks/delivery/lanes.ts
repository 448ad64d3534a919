import type { Lane } from '../../jobs/webhooks.ts';
import { createLimiter, type Limiter } from '../../platform/limiter.ts';
import type { Attempt } from '../client/client.ts';
import { type HostSlots, maxPerHost, undividedSlots } from './host-slots.ts';

/** How fast a request was, which sets the concurrency of its host. */
export type Pace = 'quick' | 'slow' | 'failed';

/** Duration above which a receiver counts as slow, in ms. */
const quickMs = 2_000;

/**
 * Rates an attempt. An answer shows that the host works, whatever its status: other subscriptions may share it. A fault of ours says
 * nothing about it.
 */
export function paceOf({ status, durationMs, ours }: Attempt): Pace | undefined {
  if (ours) return undefined;
  if (status === null) return 'failed';
  return durationMs > quickMs ? 'slow' : 'quick';
}

/** Releases the slot; call it once, when the request is over. Without a pace, the request says nothing about its host. */
export type Leave = (pace?: Pace) => void;

/** Limits concurrent requests per lane of this process, and per host over all processes. Lanes do not wait for one another. */
export interface Lanes {
  /**
   * Waits for a slot, first the host's, so that waiting for a host takes no slot of the lane.
   * @param waitMs longest wait for the host, in ms
   * @returns `late` after that time; `slow`, in the healthy lane, if the last request to the host failed or was slow
   */
  enter(lane: Lane, host: string, waitMs: number): Promise<Leave | 'late' | 'slow'>;
  /** Ends all current and future waits for a host with `late`, for shutdown. */
  stop(): void;
}

/** Concurrent requests per lane. */
const laneLimits: Record<Lane, number> = { healthy: 256, slow: 128, chat: 16 };

/** Concurrent requests over all lanes. */
export const maxRequests = laneLimits.healthy + laneLimits.slow + laneLimits.chat;

/**
 * Concurrent requests per host. A quick answer adds a slot; a slow or missing one leaves a single slot. A hanging host thus takes two slots
 * of its lane, however many subscriptions it has.
 */
const hostLimits = { initial: 2, min: 1, max: maxPerHost };

/** Interval between renewals of a host's slots, in ms: longer than another worker needs to notice free ones. */
const askMs = 500;

interface Host {
  limiter: Limiter;
  slow: boolean;
  /** Limit that the host's answers allow, and the slots granted; the limiter uses the smaller one. */
  size: number;
  granted: number;
  /** Running requests; `users` also counts waiting ones. */
  running: number;
  users: number;
  asking: boolean;
  /** Whether it got fewer slots than requested. */
  refused: boolean;
}

/** @param slots shares hosts with other workers; default: this is the only worker */
export function createLanes(slots: HostSlots = undividedSlots): Lanes {
  const lanes = {
    healthy: createLimiter(laneLimits.healthy),
    slow: createLimiter(laneLimits.slow),
    chat: createLimiter(laneLimits.chat),
  };
  const hosts = new Map<string, Host>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const hostOf = (name: string) => {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    const idle = { slow: false, granted: 0, running: 0, users: 0, asking: false, refused: false };
    const host = { ...idle, limiter: createLimiter(0), size: hostLimits.initial };
    hosts.set(name, host);
    return host;
  };

  const ask = async (name: string, host: Host) => {
    host.asking = true;
    let wanted: number;
    do {
      wanted = wantedOf(host);
      host.granted = await slots.ask(name, { wanted, running: host.running, slow: host.slow });
      resize(host);
      // More requests arrived meanwhile. If others have the rest, wait for the next renewal.
    } while (host.granted === wanted && wantedOf(host) > wanted);
    host.refused = host.granted < wanted;
    host.asking = false;
  };

  /** Renews the slots of hosts in use; returns those of idle hosts and forgets them unless they were slow. */
  const renew = () => {
    const idle: string[] = [];
    for (const [name, host] of hosts) {
      if (host.asking) continue;
      if (host.users > 0) {
        void ask(name, host);
        continue;
      }
      if (host.granted > 0) idle.push(name);
      host.granted = 0;
      resize(host);
      if (!host.slow) hosts.delete(name);
    }
    slots.giveBack(idle);
    if (![...hosts.values()].some(({ users, asking }) => users > 0 || asking)) {
      clearInterval(timer);
      timer = undefined;
    }
  };

  const grow = (name: string, host: Host) => {
    if (host.granted < wantedOf(host) && !host.asking && !host.refused) void ask(name, host);
  };

  const enter = async (lane: Lane, name: string, host: Host, waitMs: number) => {
    grow(name, host);
    if (stopped) return 'late';
    if (!(await host.limiter.acquire({ waitMs, cancellable: lane === 'healthy' })))
      return lane === 'healthy' && host.slow ? 'slow' : 'late';
    await lanes[lane].acquire();
    return undefined;
  };

  return {
    stop() {
      stopped = true;
      for (const { limiter } of hosts.values()) limiter.cancel('all');
    },
    async enter(lane, name, waitMs) {
      const host = hostOf(name);
      if (lane === 'healthy' && host.slow) return 'slow';
      timer ??= setInterval(renew, askMs).unref();
      host.users += 1;
      const refused = await enter(lane, name, host, waitMs);
      if (refused !== undefined) {
        host.users -= 1;
        return refused;
      }
      host.running += 1;
      return (pace) => {
        lanes[lane].release();
        host.running -= 1;
        host.users -= 1;
        if (pace !== undefined) adapt(host, pace);
        host.limiter.release();
        grow(name, host);
      };
    },
  };
}

function adapt(host: Host, pace: Pace): void {
  host.slow = pace !== 'quick';
  host.size = host.slow ? hostLimits.min : Math.min(host.size + 1, hostLimits.max);
  resize(host);
  // Waiters move to the slow lane at once.
  if (host.slow) host.limiter.cancel();
}

const wantedOf = ({ size, users }: Host) => Math.min(size, users);

function resize({ limiter, size, granted }: Host): void {
  limiter.resize(Math.min(size, granted));
}
