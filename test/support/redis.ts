import { Redis } from 'ioredis';
import { openRedis, openWaitingRedis } from '../../src/platform/redis.ts';
import { requestService } from './broker.ts';
import { closeAfter } from './cleanup.ts';
import { patienceMs } from './patience.ts';
import { quiet } from './quiet.ts';

/** A suite's own, empty Redis database. For use inside hooks and tests. */
export interface TestRedis {
  /** The value of `REDIS_URL`. */
  readonly url: string;
  /** A connection that fails fast. */
  readonly redis: Redis;
  /** Opens another connection that waits, for subscriptions and workers. It is closed after the tests. */
  openWaiting(): Redis;
  /** Opens another connection that fails fast. It is closed after the tests. */
  open(): Redis;
}

/**
 * Gives the tests of the surrounding `describe` a Redis database that no other suite uses. The suite fails if it leaves a connection to it
 * open.
 */
export function withRedis(): TestRedis {
  const opened: Redis[] = [];
  let first: Redis | undefined;
  let url: string | undefined;
  const keep = (redis: Redis) => {
    opened.push(redis);
    return redis;
  };
  const get = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the test Redis exists only within hooks and tests');
    return value;
  };
  before(async function () {
    const mine = await allocateDatabase();
    url = mine;
    first = keep(openRedis(mine, quiet));
    closeAfter(this, async () => {
      for (const redis of opened) redis.disconnect();
      await expectNoClients(mine);
    });
    await ready(first);
    await first.flushdb();
  });
  return {
    get url() {
      return get(url);
    },
    get redis() {
      return get(first);
    },
    openWaiting: () => keep(openWaitingRedis(get(url), quiet)),
    open: () => keep(openRedis(get(url), quiet)),
  };
}

/** Resolves when a connection accepts commands. */
export async function ready(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
}

/** Returns the URL of the next database. The first one holds the counter; the others are assigned in turn, across all test processes. */
async function allocateDatabase(): Promise<string> {
  const url = new URL(await requestService('redis'));
  const redis = new Redis(url.href);
  try {
    const [, databases] = (await redis.config('GET', 'databases')) as [string, string];
    const count = await redis.incr('test:databases');
    url.pathname = `/${1 + (count % (Number(databases) - 1))}`;
    return url.href;
  } finally {
    redis.disconnect();
  }
}

async function expectNoClients(url: string): Promise<void> {
  const redis = new Redis(url);
  try {
    await redis.flushdb();
    const deadline = Date.now() + patienceMs;
    const mine = await redis.client('ID');
    for (;;) {
      const list = String(await redis.client('LIST'));
      const others = list
        .split('\n')
        .filter((line) => line.includes(` db=${redis.options.db ?? 0} `) && !line.startsWith(`id=${mine} `));
      if (others.length === 0) return;
      if (Date.now() > deadline) throw new Error(`connections to Redis are still open: ${others.join('; ')}`);
      await new Promise((next) => setTimeout(next, 50));
    }
  } finally {
    redis.disconnect();
  }
}
