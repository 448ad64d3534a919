import { expect } from 'chai';
import { expectLogin } from '../../migrations/expected-login.ts';
import { readConfigOf } from '../../src/platform/config/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { withOutage } from '../support/outage.ts';

describe('the login of a process', () => {
  const stores = withDatabase();

  it('is reported once if it is not the expected one', async () => {
    const printed: string[] = [];
    const warn = (message: string) => printed.push(message);
    for (const url of [asLogin(stores.url, 'web'), asLogin(stores.url, 'sealing')]) {
      const database = openDatabase(url, { onFirst: expectLogin({ name: 'web', warn }) });
      await Promise.all([database.raw('select 1'), database.raw('select 1')]);
      await database.destroy();
    }
    const database = openDatabase(stores.ownerUrl, { onFirst: expectLogin({ name: 'web', warn }) });
    await database.raw('select 1');
    await database.destroy();
    expect(printed).to.deep.equal([
      'DATABASE_URL names the role test_sealing, but this process needs test_web',
      'DATABASE_URL names the role postgres, but this process needs test_web: it could rewrite the ledger',
    ]);
  });
});

describe('the pools of all processes', () => {
  const stores = withDatabase();

  it("are compared once with the server's limit, unless there is a pooler in between", async () => {
    const poolsOf = (DATABASE_POOLS: string) =>
      readConfigOf('grading', {
        DATABASE_URL: stores.url,
        REDIS_URL: 'redis://redis.example',
        DATABASE_POOLS,
      }).database.pools;
    expect(poolsOf('web:3000,webhooks:60')).to.deep.include({ web: 3000, webhooks: 60, grading: 4 });
    const direct = asLogin(stores.ownerUrl, 'grading');
    const outage = await withOutage(direct);
    const printed: string[] = [];
    for (const [url, given] of [
      [direct, ''],
      [direct, 'web:3000,webhooks:60'],
      [outage.url, 'web:3000,webhooks:60'],
    ] as const) {
      const onFirst = expectLogin({
        name: 'grading',
        pools: poolsOf(given),
        copies: 2,
        warn: printed.push.bind(printed),
      });
      const database = openDatabase(url, { onFirst });
      await Promise.all([database.raw('select 1'), database.raw('select 1')]);
      await database.destroy();
    }
    await outage.close();
    expect(printed).to.have.length(1);
    expect(printed[0]).to.match(
      /^one of each process may open 6101 connections \(web 6014, operator 6, .*, status 5\), but PostgreSQL accepts \d+ \(max_connections \d+, \d+ reserved\): lower DATABASE_POOLS or raise max_connections$/,
    );
  });
});
