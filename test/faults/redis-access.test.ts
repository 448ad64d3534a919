import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { anyFreePort } from '../../src/local/ports.ts';
import { openRedis, openWaitingRedis } from '../../src/platform/redis.ts';
import { startApi } from '../support/api.ts';
import { createAuthority } from '../support/authority.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { type OwnRedis, ownRedis } from '../support/own-redis.ts';
import { postPick } from '../support/post-pick.ts';
import { quiet } from '../support/quiet.ts';
import { until } from '../support/until.ts';
import { type WorkerProcesses, workerProcesses } from '../support/worker-processes.ts';

const hour = 3_600_000;

/** Returns the user that docs/operations.md documents for every process, with the status worker's additional rights. */
function documentedUser(): string {
  const document = resolve(import.meta.dirname, '../../docs/operations.md');
  const [user] = /^user picks .*$/m.exec(readFileSync(document, 'utf8')) ?? [''];
  return `${user} +client|list`;
}

describe('Redis over TLS, with a restricted user and another one for rendered boards', () => {
  const stores = withDatabase({ kind: 'live' });
  const folder = withFolder();
  let queues: OwnRedis;
  let boards: OwnRedis;
  let workers: WorkerProcesses;

  before(async () => {
    const authority = await createAuthority('redis');
    const { key, cert } = await authority.issue('localhost');
    const tlsPort = await anyFreePort();
    const file = (name: string, content: string) => folder.write(name, [content]);
    queues = await ownRedis([
      `tls-port ${tlsPort}`,
      `tls-cert-file ${file('server.pem', cert)}`,
      `tls-key-file ${file('server.key', key)}`,
      'tls-auth-clients no',
      documentedUser(),
    ]);
    boards = await ownRedis([documentedUser()]);
    const redisUrl = `rediss://picks:password@localhost:${tlsPort}`;
    workers = workerProcesses(
      { databaseUrl: stores.url, redisUrl },
      {
        REDIS_CACHE_URL: `redis://picks:password@127.0.0.1:${boards.port}`,
        NODE_EXTRA_CA_CERTS: file('authority.pem', authority.certificate),
      },
    );
    workers.start('workers');
  });
  after(async () => {
    await workers?.stop();
    await Promise.all([queues?.close(), boards?.close()]);
  });

  it('carries jobs and boards, and refuses no command', async () => {
    const { database } = stores;
    const now = Date.now();
    const game = { sport: 'soccer', game: 'Hawks @ Otters', startsAt: new Date(now + hour).toISOString() };
    const bet = { market: 'moneyline', side: 'home', pick: 'Otters', oddsAmerican: -110, stakeUnits: 1 };
    await applyCappers(database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now,
      imported: false,
    });
    await database.transaction((transaction) =>
      applyGames(transaction, [{ ...game, status: 'scheduled' }], { now, imported: false }),
    );
    await postPick(database, { capperHandle: 'ada', ...game, ...bet } as never, undefined, now);
    const sealed = async () => (await database('unsealed_events').first('*')) === undefined;
    const delivered = async () => Number(await queues.admin.zcard('bull:sealing:completed')) > 0;
    const rendered = async () => (await boards.admin.keys('*')).length > 0;
    await until(async () => (await sealed()) && (await delivered()) && (await rendered())).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${workers.output()}`);
      },
    );

    const plain = `redis://picks:password@127.0.0.1:${boards.port}`;
    const redis = openRedis(plain, quiet);
    const further: Redis[] = [];
    const opened = (connection: Redis) => {
      further.push(connection);
      return connection;
    };
    const open = () => opened(openRedis(plain, quiet));
    const openWaiting = () => opened(openWaitingRedis(plain, quiet));
    await until(() => redis.status === 'ready');
    const site = await startApi(
      { database: stores, redis: { url: plain, redis, open, openWaiting } },
      {
        clock: { now: () => Date.now() },
      },
    );
    try {
      expect((await fetch(`${site.address}/api/leaderboard`)).status).to.equal(200);
      expect((await fetch(`${site.address}/api/cappers/ada/picks`)).status).to.equal(200);
      expect((await fetch(`${site.address}/readyz`)).status).to.equal(200);
    } finally {
      await site.close();
      for (const each of [redis, ...further]) each.disconnect();
    }
    for (const server of [queues, boards]) expect(await server.admin.call('ACL', 'LOG')).to.deep.equal([]);
    expect(await queues.admin.keys('board*'), 'boards are on the other one').to.deep.equal([]);
  });
});
