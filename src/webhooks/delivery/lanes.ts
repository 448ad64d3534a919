import type { Lane } from '../../jobs/webhooks.ts';
import { createLimiter, type Limiter } from '../../platform/limiter.ts';
import type { Attempt } from '../client/client.ts';
import { type HostSlots, maxPerHost, undividedSlots } from './host-slots.ts';

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

/** Bounds the requests at once in each lane of this process, and to each host in all processes. Lanes do not wait for one another. */
export interface Lanes {
  /**
   * Waits for a slot: the host's first, so that waiting for a host takes no slot of the lane.
   * @param waitMs milliseconds to wait for the host at most
   * @returns `late` after that time; `slow`, in the healthy lane, when the last request to the host failed or was slow
   */
  enter(lane: Lane, host: string, waitMs: number): Promise<Leave | 'late' | 'slow'>;
  /** Ends all waits for a host, now and from now on, with `late`: the process ends. */
  stop(): void;
}

/** Requests at once in each lane. */
const laneLimits: Record<Lane, number> = { healthy: 256, slow: 128, chat: 16 };

/** Requests at once in all lanes. */
export const maxRequests = laneLimits.healthy + laneLimits.slow + laneLimits.chat;

/**
 * Requests at once to one host. A quick answer adds a slot; a slow one, or none, leaves a single slot. So a host that hangs takes two
 * slots of its lane, however many subscriptions it has.
 */
const hostLimits = { initial: 2, min: 1, max: maxPerHost };

/** Milliseconds between questions for the slots of a host in use: longer than it takes another worker to notice that some are free. */
const askMs = 500;

interface Host {
  limiter: Limiter;
  slow: boolean;
  /** What its answers allow, and what the other workers leave; the limiter has the smaller number. */
  size: number;
  granted: number;
  /** Requests that are under way, and those with what waits for a slot. */
  running: number;
  users: number;
  asking: boolean;
  /** Whether it has less than it asked for. */
  refused: boolean;
}

/** @param slots how hosts are shared with other workers; default: there are none */
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
      // More came meanwhile. Where others have the rest, it is left at that until the next renewal.
    } while (host.granted === wanted && wantedOf(host) > wanted);
    host.refused = host.granted < wanted;
    host.asking = false;
  };

  /** Asks again for hosts in use; gives back those that are not, and forgets them unless they were slow. */
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
  // Its waiters move to the slow lane at once.
  if (host.slow) host.limiter.cancel();
}

const wantedOf = ({ size, users }: Host) => Math.min(size, users);

function resize({ limiter, size, granted }: Host): void {
  limiter.resize(Math.min(size, granted));
}
