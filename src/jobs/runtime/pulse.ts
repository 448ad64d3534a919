import { isCluster, type RedisClient } from '../../platform/redis.ts';
import { withActiveTimeout } from '../../platform/timeout.ts';

/** Whether Redis delivers jobs: known by writing to it twice a second. */
export interface Pulse {
  /**
   * Whether a job that is added now is taken soon. False while Redis is away or silent, refuses writes (a replica, no memory left), has lost
   * what it had, and for a while after that.
   */
  steady(): boolean;
  /** Milliseconds since Redis last did not, or since the start: what was under way then may not be found again yet. */
  wellForMs(): number;
  stop(): void;
}

/** In milliseconds. */
interface PulseTimes {
  /** Between two beats; default 500. */
  everyMs?: number;
  /** A beat that takes longer counts as missed; default 300. */
  answerMs?: number;
  /** How long Redis has to be well after a missed beat; default 4000: connections of other processes come back within two seconds or so. */
  wellMs?: number;
  /** After so long without an answer the connection is reopened, since the server may be gone without a reset; default 5000. */
  deadMs?: number;
}

/** How long Redis keeps a beat, in milliseconds. */
const keepMs = 60_000;

/** Whether a connection is open, also one whose server has not said yet that it is ready. */
const isOpen = (status: string) => status === 'ready' || status === 'connect';

/**
 * Starts to beat.
 * @param redis the connection on which jobs are taken
 * @param name of this process, that no other has
 * @param queues whose jobs are taken: in a cluster, each may be on another server
 */
export function startPulse(
  redis: RedisClient,
  name: string,
  queues: readonly string[],
  { everyMs = 500, answerMs = 300, wellMs = 4000, deadMs = 5000 }: PulseTimes = {},
): Pulse {
  const keys = isCluster(redis) ? queues.map((queue) => `{${queue}}:pulse:${name}`) : [`pulse:${name}`];
  let count = 0;
  /** What the beat before wrote; undefined before the first one, and where that is not known. */
  let last: string | undefined;
  let beatingSince: number | undefined;
  let missedAt = performance.now();
  let steadyFrom = Number.POSITIVE_INFINITY;
  let first = true;

  async function beat(): Promise<void> {
    const began = performance.now();
    if (beatingSince !== undefined) {
      // It waits on this connection, or for the next one.
      miss();
      if (began - beatingSince > deadMs && !isCluster(redis) && isOpen(redis.status)) {
        beatingSince = began;
        redis.disconnect(true);
      }
      return;
    }
    beatingSince = began;
    count += 1;
    const mark = String(count);
    const before = last;
    const writing = Promise.all(keys.map((key) => redis.set(key, mark, 'PX', keepMs, 'GET')));
    void writing
      .catch(() => {})
      .finally(() => {
        beatingSince = undefined;
      });
    try {
      const found = await withActiveTimeout(writing, answerMs);
      // Where the mark is gone, so are jobs.
      if (before !== undefined && found.some((text) => text !== before)) miss();
      else if (first) steadyFrom = 0;
      first = false;
      last = mark;
    } catch {
      miss();
      last = undefined;
    }
  }

  function miss(): void {
    missedAt = performance.now();
    steadyFrom = missedAt + wellMs;
  }

  const onClose = () => miss();
  redis.on('close', onClose);
  void beat();
  const timer = setInterval(() => void beat(), everyMs);
  return {
    steady: () => performance.now() >= steadyFrom,
    wellForMs: () => performance.now() - missedAt,
    stop() {
      clearInterval(timer);
      redis.off('close', onClose);
    },
  };
}
