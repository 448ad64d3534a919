import { Redis } from 'ioredis';
import { openRedis, openWaitingRedis } from '../../src/platform/redis.ts';
import { quiet } from './quiet.ts';

/** An empty Redis database for a test file. To be used inside hooks and tests. */
export interface TestRedis {
  /** For `REDIS_URL`. */
  readonly url: string;
  /** A connection that fails fast. */
  readonly redis: Redis;
  /** Opens a further connection that waits, for subscriptions and workers; closed after the tests. */
  openWaiting(): Redis;
  /** Opens a further connection that fails fast; closed after the tests. */
  open(): Redis;
}

/**
 * Gives the tests of the surrounding `describe` a Redis database, emptied before and after them. They fail when they leave a
 * connection to it open. Test files that run at the same time in several workers of mocha get different databases.
 */
export function withRedis(): TestRedis {
  const opened: Redis[] = [];
  let first: Redis | undefined;
  const keep = (redis: Redis) => {
    opened.push(redis);
    return redis;
  };
  before(async function () {
    first = keep(openRedis(urlOfWorker(), quiet));
    await ready(first);
    await first.flushdb();
    // Added only now, so that it comes after the hooks in which the tests close what they opened.
    this.test?.parent?.afterAll(async () => {
      for (const redis of opened) redis.disconnect();
      await expectNoOtherClients();
    });
  });
  return {
    get url() {
      return urlOfWorker();
    },
    get redis() {
      if (first === undefined) throw new Error('the test Redis is there within hooks and tests only');
      return first;
    },
    openWaiting: () => keep(openWaitingRedis(urlOfWorker(), quiet)),
    open: () => keep(openRedis(urlOfWorker(), quiet)),
  };
}

/** Resolves when a connection can take commands. */
export async function ready(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
}

async function expectNoOtherClients(): Promise<void> {
  const redis = new Redis(urlOfWorker());
  try {
    await redis.flushdb();
    const deadline = Date.now() + 2000;
    const mine = await redis.client('ID');
    for (;;) {
      const list = String(await redis.client('LIST'));
      const others = list
        .split('\n')
        .filter((line) => line.includes(` db=${redis.options.db ?? 0} `) && !line.startsWith(`id=${mine} `));
      if (others.length === 0) return;
      if (Date.now() > deadline) throw new Error(`connections to Redis were left open: ${others.join('; ')}`);
      await new Promise((next) => setTimeout(next, 50));
    }
  } finally {
    redis.disconnect();
  }
}

function urlOfWorker(): string {
  const given = process.env.REDIS_URL;
  if (given === undefined || given === '')
    throw new Error('REDIS_URL is not set: `npm test` sets it to a Redis for tests');
  const url = new URL(given);
  const first = Number(url.pathname.slice(1) || '0');
  url.pathname = `/${first + Number(process.env.MOCHA_WORKER_ID ?? 0)}`;
  return url.href;
}
