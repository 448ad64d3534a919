import type { Logger } from '../../platform/logger.ts';
import type { RedisClient } from '../../platform/redis.ts';
import { withActiveTimeout } from '../../platform/timeout.ts';

/** A worker's request for slots. */
export interface Wanted {
  /** Concurrent requests that the worker would make. */
  wanted: number;
  /** Its running requests, which count until they end. */
  running: number;
  /** Whether the host failed or was slow last time. All workers together then make one request at a time. */
  slow: boolean;
}

/** Shares the concurrent requests to a host among workers, so that they have one common limit. */
export interface HostSlots {
  /**
   * Requests slots of a host. A grant lasts until the next request, or a few seconds.
   * @returns the number of granted slots, possibly none
   */
  ask(host: string, wanted: Wanted): Promise<number>;
  /** Returns all slots of these hosts. */
  giveBack(hosts: readonly string[]): void;
}

/** Concurrent requests to one host. */
export const maxPerHost = 8;

/** Grants everything: for a single worker. */
export const undividedSlots: HostSlots = {
  ask: (_, { wanted }) => Promise.resolve(Math.min(wanted, maxPerHost)),
  giveBack() {},
};

const keyOf = (host: string) => `public-picks:host-slots:${host}`;

/**
 * Script on one hash per host: for each worker that sends to it, what it wants and has, and until when. If several want more than exists,
 * each gets its share and whatever others leave.
 */
const script = `
  local clock = redis.call('time')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  local me, wanted, running, slow, max, keep = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
  local limit = slow == '1' and 1 or max
  local taken, asked, rivals = 0, 0, 0
  local entries = redis.call('hgetall', KEYS[1])
  for i = 1, #entries, 2 do
    if entries[i] ~= me then
      local theirs = cmsgpack.unpack(entries[i + 1])
      if theirs[4] <= now then
        redis.call('hdel', KEYS[1], entries[i])
      else
        asked = asked + theirs[1]
        taken = taken + theirs[2]
        rivals = rivals + 1
        if theirs[3] == '1' then limit = 1 end
      end
    end
  end
  local share = math.max(math.floor(limit / (rivals + 1)), 1, limit - asked)
  local granted = math.max(0, math.min(wanted, share, limit - taken))
  redis.call('hset', KEYS[1], me, cmsgpack.pack({wanted, math.max(granted, running), slow, now + keep}))
  redis.call('pexpire', KEYS[1], keep)
  return granted`;

/** Timeout of Redis, in ms: deliveries to the host wait for it. */
const answerMs = 1_000;

type WithScript = RedisClient & {
  askHostSlots(key: string, ...args: (string | number)[]): Promise<number>;
};

/**
 * Returns host slots shared through Redis. While Redis is unavailable, each worker makes one request at a time per host.
 * @param redis a connection that fails fast
 * @param worker a name that no other process has
 * @param grantMs how long a grant is valid, in ms: slots of a killed worker are free afterwards
 */
export function sharedSlots(redis: RedisClient, worker: string, log: Logger, grantMs = 10_000): HostSlots {
  redis.defineCommand('askHostSlots', { numberOfKeys: 1, lua: script });
  return {
    async ask(host, { wanted, running, slow }) {
      try {
        const args = [worker, wanted, running, slow ? 1 : 0, maxPerHost, grantMs];
        // A cluster with a missing node may hold a command while it looks for the node.
        const answer = (redis as WithScript).askHostSlots(keyOf(host), ...args);
        return await withActiveTimeout(answer, answerMs);
      } catch (error) {
        log.debug({ err: (error as Error).message }, 'host slots');
        return 1;
      }
    },
    giveBack(hosts) {
      for (const host of hosts) redis.hdel(keyOf(host), worker).catch(() => {});
    },
  };
}
