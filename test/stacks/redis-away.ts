import { setTimeout as pause } from 'node:timers/promises';
import { asLogin, createDatabase, dropDatabase } from '../support/database.ts';
import { ownRedis } from '../support/own-redis.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { type Load, outcomeLine, startLoad } from './load.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

/** The duration of each fault, in milliseconds. */
const forMs = 1000 * Number(process.env.REDIS_AWAY_SECONDS ?? 60);

/**
 * All processes while their Redis is silent, then killed, then a replica, then full, for a minute each, and emptied. Arguments such as
 * `silent silent` select faults.
 */
export async function stack(context: StackContext): Promise<string> {
  const redis = await ownRedis();
  const other = await ownRedis();
  const receiver = await startReceiver();
  const database = await createDatabase({ kind: 'live' });
  try {
    const product = await startProduct(context, {
      databaseUrl: (login) => asLogin(database.url, login),
      redisUrl: redis.url,
      receiver,
    });
    // Below the limit of 50 a minute per subscription: else the stack would wait half an hour for deliveries at its end.
    const load = await startLoad(product, receiver, 1250);
    const faults: [string, () => unknown, () => unknown][] = [
      ['well', () => {}, () => {}],
      ['silent', () => redis.freeze(), () => redis.thaw()],
      ['killed', () => redis.kill(), () => redis.start()],
      [
        'a replica',
        () => redis.admin.replicaof('127.0.0.1', other.port),
        () => redis.admin.replicaof('NO', 'ONE'),
      ],
      [
        'full',
        () => redis.admin.config('SET', 'maxmemory', '1'),
        () => redis.admin.config('SET', 'maxmemory', '0'),
      ],
      ['emptied', () => redis.admin.flushall(), () => {}],
    ];
    const { args } = context;
    const chosen =
      args.length === 0 ? faults : args.flatMap((arg) => faults.filter(([name]) => name === arg));
    for (const [name, begin, end] of chosen) {
      const from = performance.now();
      await begin();
      await pause(name === 'well' || name === 'emptied' ? 15_000 : forMs);
      context.say(`  Redis is ${name}: ${timesSince(load, from)}`);
      await end();
      const endedAt = performance.now();
      await pause(10_000);
      if (name !== 'well') context.say(`    after that: ${timesSince(load, endedAt)}`);
    }
    await until(() => [...load.seen.values()].every(({ board }) => board !== undefined), 150_000);
    return outcomeLine('redis-away', await load.finish());
  } finally {
    redis.thaw();
    await context.supervisor.stop();
    await Promise.all([redis.close(), other.close(), receiver.close()]);
    await dropDatabase(database);
  }
}

/** Formats the times from post to sealed and to board of the picks posted since. */
function timesSince(load: Load, from: number): string {
  const posted = [...load.seen.values()].filter(({ acknowledged }) => acknowledged >= from);
  const times = (where: 'sealed' | 'board') => {
    const waited = posted
      .map((times) => (times[where] ?? performance.now()) - times.acknowledged)
      .sort((one, two) => one - two);
    const at = (share: number) => Math.round(waited[Math.floor(share * (waited.length - 1))] ?? 0);
    return `${where} after ${at(0.5)} ms (median), ${at(1)} ms (longest)`;
  };
  return `${posted.length} picks, ${times('sealed')}, ${times('board')}`;
}
