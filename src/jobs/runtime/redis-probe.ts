import { isCluster, type RedisClient } from '../../platform/redis.ts';
import { withActiveTimeout } from '../../platform/timeout.ts';

export type RedisProbe = ReturnType<typeof startRedisProbe>;

interface ProbeTimes {
  /** Interval between writes, in ms; default 500. */
  everyMs?: number;
  /** Timeout of a write, in ms; default 300. */
  answerMs?: number;
  /** Time without failures before Redis counts as steady, in ms. Default 4000: other processes reconnect within about two seconds. */
  settleMs?: number;
  /** Time without an answer before the connection is reopened, in ms; default 5000. A server can vanish without a reset. */
  deadMs?: number;
}

/** Expiry of the probe's keys, in ms. */
const keepMs = 60_000;

/** Reports whether a socket is open, including one whose server is not ready yet. */
const isOpen = (status: string) => status === 'ready' || status === 'connect';

/**
 * @param redis the connection that takes jobs
 * @param name a name that no other process has
 * @param queues queues of this process; in a cluster, each may be on another server
 */
export function startRedisProbe(
  redis: RedisClient,
  name: string,
  queues: readonly string[],
  { everyMs = 500, answerMs = 300, settleMs = 4000, deadMs = 5000 }: ProbeTimes = {},
) {
  const keys = isCluster(redis) ? queues.map((queue) => `{${queue}}:probe:${name}`) : [`probe:${name}`];
  let count = 0;
  /** Value of the last write; undefined before the first one and after a failure. */
  let last: string | undefined;
  let writingSince: number | undefined;
  let missedAt = performance.now();
  let steadyFrom = Number.POSITIVE_INFINITY;
  let first = true;

  async function write(): Promise<void> {
    const began = performance.now();
    if (writingSince !== undefined) {
      // The last write is still pending.
      miss();
      if (began - writingSince > deadMs && !isCluster(redis) && isOpen(redis.status)) {
        writingSince = began;
        redis.disconnect(true);
      }
      return;
    }
    writingSince = began;
    count += 1;
    const mark = String(count);
    const before = last;
    const writing = Promise.all(keys.map((key) => redis.set(key, mark, 'PX', keepMs, 'GET')));
    void writing
      .catch(() => {})
      .finally(() => {
        writingSince = undefined;
      });
    try {
      const found = await withActiveTimeout(writing, answerMs);
      // If the value is gone, jobs are gone too.
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
    steadyFrom = missedAt + settleMs;
  }

  const onClose = () => miss();
  redis.on('close', onClose);
  void write();
  const timer = setInterval(() => void write(), everyMs);
  return {
    /** False while Redis is down, silent, read-only, out of memory, or has lost data, and for `settleMs` afterwards. */
    steady: () => performance.now() >= steadyFrom,
    /** Milliseconds since the last failure or the start. Jobs that were running then may still be stalled. */
    steadyForMs: () => performance.now() - missedAt,
    stop(): void {
      clearInterval(timer);
      redis.off('close', onClose);
    },
  };
}
