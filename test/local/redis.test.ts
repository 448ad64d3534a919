import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { bringUp } from '../../src/local/bring-up.ts';
import { prepareRedis } from '../../src/local/redis.ts';
import { createSupervisor } from '../../src/local/supervisor.ts';
import { withFolder } from '../support/folders.ts';

describe('the embedded Redis', () => {
  const folder = withFolder();

  it('ignores a damaged dump.rdb', async () => {
    writeFileSync(join(folder.path(), 'dump.rdb'), 'REDIS0011 cut short');
    const packagesDir = resolve(import.meta.dirname, '..', '..', '.data', 'packages');
    const { signal: aborted } = new AbortController();
    const redis = await prepareRedis({ dataDir: folder.path(), packagesDir, say: () => {}, aborted });
    const supervisor = createSupervisor({ say: () => {} });
    try {
      await bringUp(redis, supervisor, aborted);
      const client = new Redis(redis.url);
      expect(await client.dbsize()).to.equal(0);
      client.disconnect();
    } finally {
      await supervisor.stop();
    }
  });
});
