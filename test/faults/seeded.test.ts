import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { oneOf, randomOf, whole } from '../../src/demo/random.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { openRedis } from '../../src/platform/redis.ts';
import { openBook } from '../stacks/faults/book.ts';
import { unfinished, untilNone, wrongInLedger } from '../stacks/faults/checks.ts';
import { startFaultLoad } from '../stacks/faults/load.ts';
import { withDatabase } from '../support/database.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { quiet } from '../support/quiet.ts';
import { ready, withRedis } from '../support/redis.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { type WorkerProcesses, workerProcesses } from '../support/worker-processes.ts';

/** `FAULTS_SEED` repeats a run; `npm run faults` is the full run. */
const seed = process.env.FAULTS_SEED ?? randomBytes(3).toString('hex');
const random = randomOf(seed);
const times = { everyMs: 150, aheadMs: 6_000, gameEveryMs: 1_000, lastCallMs: 400, finalMs: 200 };

describe(`an acknowledged pick under random faults, seed ${seed}`, () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  let links: { postgres: Outage; redis: Outage };
  let database: Database;
  let client: Redis;
  let operator: RunningOperator;
  let workers: WorkerProcesses;

  before(async () => {
    links = { postgres: await withOutage(stores.url), redis: await withOutage(redis.url) };
    database = openDatabase(links.postgres.url, { connectTimeout: 2000 });
    client = openRedis(links.redis.url, quiet);
    await ready(client);
    const through = { database: { ...stores, database }, redis: { ...redis, redis: client } };
    operator = await startOperator(through, { now: () => Date.now() });
    workers = workerProcesses({ databaseUrl: links.postgres.url, redisUrl: links.redis.url });
    workers.start('workers');
  });
  after(async () => {
    await workers.stop();
    await operator.close();
    client.disconnect();
    await Promise.all([links.postgres.close(), links.redis.close()]);
    await database.destroy();
  });

  const faults: Record<string, () => unknown> = {
    async kill() {
      await workers.kill('workers');
      workers.start('workers');
    },
    async freeze() {
      workers.freeze('workers');
      await sleep(whole(random, 50, 700));
      workers.thaw('workers');
    },
    flush: () => redis.redis.flushdb(),
    async cut() {
      const link = oneOf(random, [links.postgres, links.redis]);
      await link.cut();
      await sleep(whole(random, 0, 300));
      await link.restore();
    },
    async hang() {
      const link = oneOf(random, [links.postgres, links.redis]);
      link.freeze();
      await sleep(whole(random, 500, 2_000));
      await link.restore();
    },
    async sessions() {
      const pids: number[] = await stores
        .owner('pg_stat_activity')
        .whereRaw(`datname = current_database() and application_name like 'public-picks%'`)
        .pluck('pid');
      const signal = (name: NodeJS.Signals) => {
        for (const pid of pids)
          try {
            process.kill(pid, name);
          } catch {
            // The session has ended.
          }
      };
      signal('SIGSTOP');
      await sleep(whole(random, 500, 2_000));
      signal('SIGCONT');
    },
    async delay() {
      for (const link of [links.postgres, links.redis]) link.delay(whole(random, 5, 40));
      await sleep(700);
      for (const link of [links.postgres, links.redis]) link.delay(0);
    },
  };

  it('is sealed, closed at the last price, and settled once', async () => {
    const book = openBook();
    const product = { sites: [], operator: operator.address, token: 'the-token-of-these-tests' };
    const load = await startFaultLoad(product, { book, receivers: [], random, times });
    try {
      for (const name of ['kill', 'freeze', 'flush', 'cut', 'hang', 'delay', 'sessions', 'cut']) {
        book.turnTo(name);
        await sleep(whole(random, 300, 1_200));
        await faults[name]!();
      }
      await load.finish();
      load.goesOn();
      await untilNone('picks not finished', () => unfinished(book, stores.ownerUrl), 60_000);
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${workers.output()}`);
    } finally {
      load.stop();
    }
    expect(book.picks.size).to.be.above(5);
    expect([...(await wrongInLedger(book, stores.ownerUrl)), ...book.wrong]).to.deep.equal([]);
    await expectSoundLedger(stores.database);
  }).timeout(240_000);
});
