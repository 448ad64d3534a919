/** Ways that do not wait for one another: receivers that answer, those that failed or dawdled last time, the chat platform. */
export type Lane = 'healthy' | 'slow' | 'chat';

/** How a request went, as far as it says how many its host may be sent at once. */
export type Pace = 'quick' | 'slow' | 'failed';

/** Who may send a request now: so many at once in a lane, and so many to a host. */
export interface Lanes {
  /**
   * Waits for its turn: first at its host, so that whoever waits there takes nobody's place in the lane.
   * @returns to be called once, when the request is over; without a pace where it says nothing of its host
   */
  enter(lane: Lane, host: string): Promise<(pace?: Pace) => void>;
  /** Whether the last request to a host failed or dawdled. */
  isSlow(host: string): boolean;
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

export function createLanes(): Lanes {
  const lanes = {
    healthy: createRoom(laneRoom.healthy),
    slow: createRoom(laneRoom.slow),
    chat: createRoom(laneRoom.chat),
  };
  const hosts = new Map<string, { room: Room; slow: boolean }>();
  const hostOf = (name: string) => {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    const host = { room: createRoom(hostRoom.first), slow: false };
    hosts.set(name, host);
    return host;
  };
  return {
    async enter(lane, name) {
      const host = hostOf(name);
      await host.room.enter();
      await lanes[lane].enter();
      return (pace) => {
        lanes[lane].leave();
        if (pace !== undefined) {
          host.slow = pace !== 'quick';
          host.room.resize(host.slow ? hostRoom.least : Math.min(host.room.size + 1, hostRoom.most));
        }
        host.room.leave();
      };
    },
    isSlow: (name) => hosts.get(name)?.slow ?? false,
  };
}

interface Room {
  readonly size: number;
  enter(): Promise<void> | undefined;
  leave(): void;
  resize(size: number): void;
}

/** So many may be in it at once; the others wait in line. */
function createRoom(first: number): Room {
  let size = first;
  let inside = 0;
  const line: (() => void)[] = [];
  const admit = () => {
    while (inside < size && line.length > 0) {
      inside += 1;
      line.shift()!();
    }
  };
  return {
    get size() {
      return size;
    },
    enter() {
      if (inside < size && line.length === 0) {
        inside += 1;
        return undefined;
      }
      return new Promise((resolve) => line.push(resolve));
    },
    leave() {
      inside -= 1;
      admit();
    },
    resize(next) {
      size = next;
      admit();
    },
  };
}
