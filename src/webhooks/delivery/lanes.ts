/** Ways that do not wait for one another: receivers that answer, those that failed or dawdled last time, the chat platform. */
export type Lane = 'healthy' | 'slow' | 'chat';

/** How a request went, as far as it says how many its host may be sent at once. */
export type Pace = 'quick' | 'slow' | 'failed';

/** Gives the place back, once, when the request is over; without a pace where it says nothing of its host. */
export type Leave = (pace?: Pace) => void;

/** Who may send a request now: so many at once in a lane, and so many to a host. */
export interface Lanes {
  /**
   * Waits for its turn: first at its host, so that whoever waits there takes nobody's place in the lane.
   * @param waitMs the longest that it waits for its host, in milliseconds
   * @returns `late` when it has waited that long; `slow`, in the healthy lane, when the last request to its host failed or dawdled
   */
  enter(lane: Lane, host: string, waitMs: number): Promise<Leave | 'late' | 'slow'>;
}

/** Most requests at once in a lane. */
const laneRoom: Record<Lane, number> = { healthy: 256, slow: 128, chat: 16 };

/** Most requests at once in all lanes. */
export const mostRequests = laneRoom.healthy + laneRoom.slow + laneRoom.chat;

/**
 * Requests at once to one host: it begins with two, each that goes quickly lets in one more, and one that does not leaves a single one.
 * So a host that hangs holds two places of its lane, however many subscriptions it has.
 */
const hostRoom = { first: 2, least: 1, most: 8 };

interface Host {
  room: Room;
  slow: boolean;
}

export function createLanes(): Lanes {
  const lanes = {
    healthy: createRoom(laneRoom.healthy),
    slow: createRoom(laneRoom.slow),
    chat: createRoom(laneRoom.chat),
  };
  const hosts = new Map<string, Host>();
  const hostOf = (name: string) => {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    const host = { room: createRoom(hostRoom.first), slow: false };
    hosts.set(name, host);
    return host;
  };
  return {
    async enter(lane, name, waitMs) {
      const host = hostOf(name);
      if (lane === 'healthy' && host.slow) return 'slow';
      if (!(await host.room.enter(lane === 'healthy', waitMs)))
        return lane === 'healthy' && host.slow ? 'slow' : 'late';
      await lanes[lane].enter(false, Number.POSITIVE_INFINITY);
      return (pace) => {
        lanes[lane].leave();
        if (pace !== undefined) adapt(host, pace);
        host.room.leave();
      };
    },
  };
}

function adapt(host: Host, pace: Pace): void {
  host.slow = pace !== 'quick';
  host.room.resize(host.slow ? hostRoom.least : Math.min(host.room.size + 1, hostRoom.most));
  // They go to the slow lane, instead of waiting for what may take its time.
  if (host.slow) host.room.dismiss();
}

/** So many may be in it at once; the others wait in line. */
interface Room {
  readonly size: number;
  /**
   * @param fickle whether it leaves the line when that is asked of it
   * @returns true at once where there is room, or a promise of whether it is in
   */
  enter(fickle: boolean, waitMs: number): true | Promise<boolean>;
  leave(): void;
  resize(size: number): void;
  /** Sends the fickle ones in line away. */
  dismiss(): void;
}

interface Waiting {
  fickle: boolean;
  end(isIn: boolean): void;
}

function createRoom(first: number): Room {
  let size = first;
  let inside = 0;
  const line = new Set<Waiting>();
  const admit = () => {
    for (const next of line) {
      if (inside >= size) return;
      inside += 1;
      next.end(true);
    }
  };
  return {
    get size() {
      return size;
    },
    enter(fickle, waitMs) {
      if (inside < size && line.size === 0) {
        inside += 1;
        return true;
      }
      return new Promise((resolve) => {
        // Waiting for a turn keeps no process alive.
        const timer =
          waitMs === Number.POSITIVE_INFINITY
            ? undefined
            : setTimeout(() => waiting.end(false), Math.ceil(waitMs)).unref();
        const waiting: Waiting = {
          fickle,
          end(isIn) {
            clearTimeout(timer);
            line.delete(waiting);
            resolve(isIn);
          },
        };
        line.add(waiting);
      });
    },
    leave() {
      inside -= 1;
      admit();
    },
    resize(next) {
      size = next;
      admit();
    },
    dismiss() {
      for (const waiting of [...line]) if (waiting.fickle) waiting.end(false);
    },
  };
}
