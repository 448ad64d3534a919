// Permits for requests: how many, how often, and how many at once a receiver's host gets from all processes together.
//
// Each request takes a permit before and returns it after. Redis counts them, with its own clock; while it is unavailable, each process
// counts for itself and makes one request at a time to each host.

import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from '../../platform/logger.ts';
import type { Rate } from '../../platform/rate-limit.ts';
import type { RedisClient } from '../../platform/redis.ts';
import { withActiveTimeout } from '../../platform/timeout.ts';
import type { Target } from '../guard/target.ts';

/** A host, or a channel of a chat platform, which limits each on its own. */
export interface Limited {
  key: string;
  rates: readonly Rate[];
  within?: Limited;
}

/** Requests that reach one host, over all its subscriptions (docs/rules/webhooks.md#limits). */
const hostRates: readonly Rate[] = [{ times: 20, inMs: 1000 }];
const unprovenRates: readonly Rate[] = [{ times: 1, inMs: 60_000 }];

export function limitedHost({ hostname, port, host, platform, url }: Target): Limited {
  if (platform !== undefined) {
    const of = (address: string) => `${platform.name}:${digest(address)}`;
    const account = platform.account?.(url);
    const within = account && { within: { key: of(account.key), rates: account.rates } };
    return { key: of(url), rates: platform.rates, ...within };
  }
  // A host is one, whichever of the two ports of the guard it listens on.
  return { key: port === 443 || port === 8443 ? hostname : host, rates: hostRates };
}

export function unproven({ url }: Target): Limited {
  return { key: `unproven:${digest(url)}`, rates: unprovenRates };
}

/** Addresses can be credentials. */
const digest = (url: string) => createHash('sha256').update(url).digest('base64url').slice(0, 22);

export interface Permits {
  /**
   * @param atOnce permits that may be out at once, over all processes
   * @returns the id of a permit; otherwise the time until another attempt makes sense, in ms
   */
  take(limited: Limited, atOnce: number): Promise<string | number>;
  giveBack(limited: Limited, id: string): void;
  undo(limited: Limited): void;
}

/** Longer than any request: permits of a killed process are free afterwards. */
const permitMs = 15_000;

/** Time until another attempt while all permits are out, in ms. Processes limit their own requests before they ask. */
const busyMs = 250;

/** @param now milliseconds of a clock that never goes back */
export function ownPermits(now: () => number = () => performance.now()): Permits {
  /** By key: instants of the last permits, newest first, and expiries of those that are out. */
  const known = new Map<string, { taken: number[]; out: Map<string, number>; until: number }>();
  return {
    async take({ key, rates }, atOnce) {
      const at = now();
      for (const [other, { until }] of known) if (until <= at) known.delete(other);
      const { taken, out } = known.get(key) ?? { taken: [], out: new Map<string, number>() };
      for (const [id, until] of out) if (until <= at) out.delete(id);
      if (out.size >= atOnce) return busyMs;
      const waits = rates.map(
        ({ times, inMs }) => (taken[times - 1] ?? Number.NEGATIVE_INFINITY) + inMs - at,
      );
      if (Math.max(0, ...waits) > 0) return Math.max(...waits);
      const id = randomUUID();
      out.set(id, at + permitMs);
      const keep = Math.max(1, ...rates.map(({ times }) => times));
      const until = at + Math.max(permitMs, ...rates.map(({ inMs }) => inMs));
      known.set(key, { taken: [at, ...taken].slice(0, keep), out, until });
      return id;
    },
    giveBack: ({ key }, id) => void known.get(key)?.out.delete(id),
    undo: ({ key }) => void known.get(key)?.taken.shift(),
  };
}

/** The same as a script on a list of instants and a sorted set of permits by expiry. */
const script = `
  local clock = redis.call('time')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  local id, permit, most, keep, wait, times = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[2]), 0, 1
  redis.call('zremrangebyscore', KEYS[2], '-inf', now)
  if redis.call('zcard', KEYS[2]) >= most then return ${busyMs} end
  for i = 4, #ARGV, 2 do
    times, keep = math.max(times, tonumber(ARGV[i])), math.max(keep, tonumber(ARGV[i + 1]))
    local at = redis.call('lindex', KEYS[1], ARGV[i] - 1)
    if at then wait = math.max(wait, at + ARGV[i + 1] - now) end
  end
  if wait > 0 then return wait end
  redis.call('lpush', KEYS[1], now)
  redis.call('ltrim', KEYS[1], 0, times - 1)
  redis.call('zadd', KEYS[2], now + permit, id)
  redis.call('pexpire', KEYS[1], keep)
  redis.call('pexpire', KEYS[2], permit)
  return 0`;

/** Timeout of Redis, in ms: deliveries to the host wait for it. */
const answerMs = 1_000;

type WithScript = RedisClient & { takePermit(...args: (string | number)[]): Promise<number> };

/** @param redis a connection that fails fast */
export function sharedPermits(redis: RedisClient, log: Pick<Logger, 'debug'>): Permits {
  redis.defineCommand('takePermit', { numberOfKeys: 2, lua: script });
  const own = ownPermits();
  // The braces keep both keys in one slot of a cluster.
  const keysOf = (key: string) =>
    [`public-picks:{host:${key}}:taken`, `public-picks:{host:${key}}:out`] as const;
  return {
    async take(limited, atOnce) {
      const id = randomUUID();
      const rates = limited.rates.flatMap(({ times, inMs }) => [times, inMs]);
      try {
        const taking = (redis as WithScript).takePermit(
          ...keysOf(limited.key),
          id,
          permitMs,
          atOnce,
          ...rates,
        );
        // A cluster with a missing node may hold a command while it looks for the node.
        const waitMs = await withActiveTimeout(taking, answerMs);
        return waitMs > 0 ? waitMs : id;
      } catch (error) {
        log.debug({ err: (error as Error).message }, 'permits');
        return own.take(limited, 1);
      }
    },
    giveBack(limited, id) {
      own.giveBack(limited, id);
      redis.zrem(keysOf(limited.key)[1], id).catch(() => {});
    },
    undo(limited) {
      own.undo(limited);
      redis.lpop(keysOf(limited.key)[0]).catch(() => {});
    },
  };
}
