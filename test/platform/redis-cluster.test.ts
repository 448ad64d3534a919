import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openWaitingRedis } from '../../src/platform/redis.ts';
import { type OwnRedis, ownRedis } from '../support/own-redis.ts';
import { quiet } from '../support/quiet.ts';
import { until } from '../support/until.ts';

describe('a connection to a Redis Cluster', () => {
  const file = join(tmpdir(), `public-picks-cluster-${process.pid}.conf`);
  let node: OwnRedis;

  before(async () => {
    node = await ownRedis([
      'cluster-enabled yes',
      `cluster-config-file ${file}`,
      'cluster-announce-ip 127.0.0.1',
    ]);
  });
  after(async () => {
    await node.close();
    rmSync(file, { force: true });
  });

  it('gives up connecting while the cluster is down, and works once it is up', async () => {
    // Half of the slots have no owner: such a cluster refuses every key.
    await node.admin.call('CLUSTER', 'ADDSLOTSRANGE', 0, 8191);
    const clusterNodes = [{ host: '127.0.0.1', port: node.port }];
    const redis = openWaitingRedis({ url: node.url, clusterNodes }, quiet);
    try {
      await until(() => redis.status === 'ready');
      const ended = once(redis, 'end');
      redis.disconnect();
      await ended;
      let connected = false;
      void redis.connect().then(() => {
        connected = true;
      });
      await until(() => connected);
      await node.admin.call('CLUSTER', 'ADDSLOTSRANGE', 8192, 16_383);
      await until(async () => (await redis.set('key', 'value').catch(() => null)) === 'OK');
      expect(await redis.get('key')).to.equal('value');
    } finally {
      redis.disconnect();
    }
  });
});
