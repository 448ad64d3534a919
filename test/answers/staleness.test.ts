import { expect } from 'chai';
import { changesChannel } from '../../src/answers/changes.ts';
import { createStore } from '../../src/answers/store.ts';
import { openRedis, openWaitingRedis } from '../../src/platform/redis.ts';
import { ownRedis } from '../support/own-redis.ts';
import { quiet } from '../support/quiet.ts';
import { until } from '../support/until.ts';

describe('notices of stale answers', () => {
  it('are published for each change while Redis is out of memory, however fast changes follow each other', async () => {
    const server = await ownRedis();
    const [redis, subscriber] = [openRedis(server.url, quiet), openWaitingRedis(server.url, quiet)];
    const staleness = createStore(redis, quiet, 1e6);
    try {
      await until(() => redis.status === 'ready');
      const heard: string[] = [];
      subscriber.on('message', (_, message: string) => heard.push(message));
      await subscriber.subscribe(changesChannel(redis));
      await staleness.bump(['one'], 1);
      await until(() => heard.length === 1);
      await server.admin.config('SET', 'maxmemory', '1');
      for (let version = 2; version < 7; version += 1) await staleness.bump(['two'], version);
      await until(() => heard.length === 6);
      await server.admin.config('SET', 'maxmemory', '0');
      await staleness.bump(['three'], 7);
      await until(() => heard.length === 7);
      expect(heard).to.deep.equal(['["one"]', '*', '*', '*', '*', '*', '["three"]']);
    } finally {
      staleness.close();
      for (const each of [redis, subscriber]) each.disconnect();
      await server.close();
    }
  });
});
