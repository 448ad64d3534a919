import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { anyFreePort } from '../../src/local/ports.ts';
import { redisProgram } from '../../src/local/redis.ts';
import { libraryPath } from '../../src/local/system-packages.ts';
import { asLogin, createDatabase, dropDatabase } from '../support/database.ts';
import { ownRedis } from '../support/own-redis.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { outcomeLine, startLoad } from './load.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

/**
 * All processes on a primary and a replica that three sentinels watch. Halfway through, the primary falls silent with its connections
 * open; the replica takes over, and the silent one returns as its replica.
 */
export async function stack(context: StackContext): Promise<string> {
  const primary = await ownRedis();
  const replica = await ownRedis([`replicaof 127.0.0.1 ${primary.port}`]);
  const receiver = await startReceiver();
  const database = await createDatabase({ kind: 'live' });
  try {
    const sentinels = await startSentinels(context, primary.port);
    const product = await startProduct(context, {
      databaseUrl: (login) => asLogin(database.url, login),
      redisUrl: primary.url,
      settings: { REDIS_SENTINELS: sentinels.map((port) => `127.0.0.1:${port}`).join(',') },
      receiver,
      sets: 2,
    });
    const load = await startLoad(product, receiver);
    await until(() => load.count() >= 50, 300_000);
    context.say('  the primary falls silent');
    const began = performance.now();
    primary.freeze();
    await until(async () => String(await replica.admin.call('ROLE')).startsWith('master'), 150_000);
    const swapped = (performance.now() - began) / 1000;
    context.say(`  the replica took over after ${swapped.toFixed(1)} s`);
    await pause(5000);
    primary.thaw();
    const after = load.count();
    await until(() => load.count() >= after + 75, 300_000);
    const outcome = await load.finish();
    const clients = String(await replica.admin.client('LIST')).match(/ name=bull/g)?.length ?? 0;
    if (clients === 0) throw new Error('no worker waits for jobs on the new primary');
    return outcomeLine('sentinel', outcome, `; swapped after ${swapped.toFixed(1)} s`);
  } finally {
    primary.thaw();
    await context.supervisor.stop();
    await Promise.all([primary.close(), replica.close(), receiver.close()]);
    await dropDatabase(database);
  }
}

/** @returns the ports of three sentinels, each of which knows the others and the replica */
async function startSentinels(
  { folder, packagesDir, supervisor, say, aborted }: StackContext,
  primary: number,
): Promise<number[]> {
  const program = await redisProgram(packagesDir, say, aborted);
  const ports = [await anyFreePort(), await anyFreePort(), await anyFreePort()];
  for (const port of ports) {
    const file = join(folder, `sentinel-${port}.conf`);
    const lines = [
      'bind 127.0.0.1',
      `port ${port}`,
      `dir ${folder}`,
      `sentinel monitor mymaster 127.0.0.1 ${primary} 2`,
      'sentinel down-after-milliseconds mymaster 2000',
      'sentinel failover-timeout mymaster 10000',
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    supervisor.run({
      name: `sentinel ${port}`,
      signal: 'SIGTERM',
      store: true,
      launch: () =>
        spawn(program.command, [file, '--sentinel'], {
          env: { PATH: process.env.PATH, LC_ALL: 'C', ...libraryPath(program) },
          detached: true,
          stdio: 'ignore',
        }),
    });
  }
  for (const port of ports) {
    const sentinel = new Redis(port, '127.0.0.1', { retryStrategy: () => 100 });
    sentinel.on('error', () => {});
    const known = async (what: string) =>
      ((await sentinel.call('SENTINEL', what, 'mymaster').catch(() => [])) as unknown[]).length;
    await until(async () => (await known('SENTINELS')) === 2 && (await known('REPLICAS')) === 1, 150_000);
    sentinel.disconnect();
  }
  return ports;
}
