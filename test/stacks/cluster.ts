import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asLogin, createDatabase, dropDatabase } from '../support/database.ts';
import { type OwnRedis, ownRedis } from '../support/own-redis.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { outcomeLine, startLoad } from './load.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

const slots = 16_384;

/** All processes on a Redis Cluster of three nodes, of which one is killed halfway through and returns ten seconds later. */
export async function stack(context: StackContext): Promise<string> {
  const nodes: OwnRedis[] = [];
  const receiver = await startReceiver();
  const database = await createDatabase({ kind: 'live' });
  try {
    for (let index = 0; index < 3; index += 1)
      nodes.push(
        await ownRedis([
          'cluster-enabled yes',
          'cluster-node-timeout 2000',
          `cluster-config-file ${join(context.folder, `node-${index}.conf`)}`,
        ]),
      );
    await joinNodes(nodes);
    const product = await startProduct(context, {
      databaseUrl: (login) => asLogin(database.url, login),
      redisUrl: nodes[0]!.url,
      settings: { REDIS_CLUSTER_NODES: nodes.map(({ port }) => `127.0.0.1:${port}`).join(',') },
      receiver,
      sets: 2,
    });
    const load = await startLoad(product, receiver, 400);
    await until(() => load.count() >= 25, 300_000);
    context.say('  a node is killed');
    await nodes[1]!.kill();
    await pause(10_000);
    await nodes[1]!.start();
    context.say('  it is back');
    const after = load.count();
    await until(() => load.count() >= after + 30, 300_000);
    const outcome = await load.finish();
    const keys = await Promise.all(nodes.map(({ admin }) => admin.dbsize()));
    return outcomeLine('cluster', outcome, `; keys by node ${keys.join(', ')}`);
  } finally {
    await context.supervisor.stop();
    await Promise.all(nodes.map((node) => node.close()));
    await receiver.close();
    await dropDatabase(database);
  }
}

/** Joins them into one cluster, each with a third of the slots. */
async function joinNodes(nodes: readonly OwnRedis[]): Promise<void> {
  const [first, ...others] = nodes;
  for (const [index, { admin }] of nodes.entries()) {
    const from = Math.floor((index * slots) / nodes.length);
    const to = Math.floor(((index + 1) * slots) / nodes.length) - 1;
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
  }
  for (const { port } of others) await first!.admin.call('CLUSTER', 'MEET', '127.0.0.1', port);
  const isOne = async ({ admin }: OwnRedis) => {
    const info = String(await admin.call('CLUSTER', 'INFO'));
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes.length}`);
  };
  await until(async () => (await Promise.all(nodes.map(isOne))).every((is) => is), 60_000);
}
