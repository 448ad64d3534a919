import type { Logger } from '../../platform/logger.ts';
import type { RedisClient } from '../../platform/redis.ts';
import { withActiveTimeout } from '../../platform/timeout.ts';

/** What a worker asks for. */
export interface Wanted {
  /** Requests that it would make at once. */
  wanted: number;
  /** Those that are under way: they are counted until they end. */
  running: number;
  /** Whether the host failed or was slow last time: then all workers together make one request at once. */
  slow: boolean;
}

/** Shares the requests at once to a host among workers, so that its limit is one for all of them. */
export interface HostSlots {
  /**
   * Asks for slots of a host. What was granted is the worker's until it asks again, for some seconds at most.
   * @returns how many of those wanted it has, possibly none
   */
  ask(host: string, wanted: Wanted): Promise<number>;
  /** Gives all slots of these hosts back. */
  giveBack(hosts: readonly string[]): void;
}

/** Requests at once to one host. */
export const maxPerHost = 8;

/** A worker that is the only one has all that it asks for. */
export const undividedSlots: HostSlots = {
  ask: (_, { wanted }) => Promise.resolve(Math.min(wanted, maxPerHost)),
  giveBack() {},
};

const keyOf = (host: string) => `public-picks:host-slots:${host}`;

/**
 * One hash per host: each worker that sends to it, with what it wants, has and until when. Where several want more than there is, each gets
 * its share, and what the others leave.
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

/** How long Redis may take to answer, in milliseconds: deliveries to the host wait for it. */
const answerMs = 1_000;

type WithScript = RedisClient & {
  askHostSlots(key: string, ...args: (string | number)[]): Promise<number>;
};

/**
 * Host slots of workers that share a Redis. While it is away each worker makes one request at once to a host.
 * @param redis a connection that fails fast
 * @param worker a name that no other process has
 * @param grantMs how long a grant is valid, in milliseconds: what a killed worker had is free after that
 */
export function sharedSlots(redis: RedisClient, worker: string, log: Logger, grantMs = 10_000): HostSlots {
  redis.defineCommand('askHostSlots', { numberOfKeys: 1, lua: script });
  return {
    async ask(host, { wanted, running, slow }) {
      try {
        const args = [worker, wanted, running, slow ? 1 : 0, maxPerHost, grantMs];
        // A cluster in which a node is missing may keep a command for as long as it looks for the node.
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
