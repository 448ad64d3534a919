import { expect } from 'chai';
import { isUnreachable, openDatabase } from '../../src/platform/database.ts';
import { asLogin, withDatabase } from '../support/database.ts';

/** What a connection of `pg` is asked by. */
interface Querying {
  query(config: object, done: (...answer: unknown[]) => void): unknown;
}

describe('a connection pool', () => {
  const stores = withDatabase();

  it('reads an instant the same in whatever zone the session is', async () => {
    const { database } = stores;
    const read = await database.transaction(async (transaction) => {
      const read: number[] = [];
      for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'America/New_York']) {
        await transaction.raw(`set local time zone '${zone}'`);
        const { rows } = await transaction.raw(`select timestamptz '2026-01-10 17:05:00.123Z' as at`);
        read.push(rows[0].at);
      }
      return read;
    });
    expect(new Set(read)).to.deep.equal(new Set([Date.parse('2026-01-10T17:05:00.123Z')]));
  });

  it('sends what a transaction asks at once one statement after the other, past one that fails', async () => {
    const { database } = stores;
    const most = await database.transaction(async (transaction) => {
      const connection: Querying = await transaction.client.acquireConnection();
      const { query } = connection;
      let running = 0;
      let most = 0;
      connection.query = (config, done) => {
        running += 1;
        most = Math.max(most, running);
        return query.call(connection, config, (...answer) => {
          running -= 1;
          done(...answer);
        });
      };
      try {
        const answers = [1, 2, 3].map((n) => transaction.raw('select ?::int as n', [n]));
        expect((await Promise.all(answers)).map(({ rows }) => rows[0].n)).to.deep.equal([1, 2, 3]);
        await transaction.raw('savepoint before');
        const failing = transaction.raw('select 1 / 0').catch(() => transaction.raw('rollback to before'));
        await Promise.all([failing, transaction.raw('select 4').catch(() => {})]);
        expect((await transaction.raw('select 5 as n')).rows[0].n).to.equal(5);
      } finally {
        connection.query = query;
      }
      return most;
    });
    expect(most).to.equal(1);
  });

  it('says once when it is not under the login that it is for', async () => {
    const said: string[] = [];
    const warn = (message: string) => said.push(message);
    for (const url of [asLogin(stores.url, 'web'), asLogin(stores.url, 'sealing')]) {
      const database = openDatabase(url, { login: { name: 'web', warn } });
      await Promise.all([database.raw('select 1'), database.raw('select 1')]);
      await database.destroy();
    }
    const database = openDatabase(stores.ownerUrl, { login: { name: 'web', warn } });
    await database.raw('select 1');
    await database.destroy();
    expect(said).to.deep.equal([
      'DATABASE_URL names the role test_sealing, but this process logs in as test_web',
      'DATABASE_URL names the role postgres, but this process logs in as test_web: it could rewrite the ledger',
    ]);
  });
});

describe('isUnreachable', () => {
  it('tells an outage from a wrong statement', () => {
    for (const code of ['ECONNREFUSED', 'EPIPE', '57P01', '08006', '55P03', '25P03'])
      expect(isUnreachable({ code }), code).to.equal(true);
    for (const code of ['23505', '42P01', '23001']) expect(isUnreachable({ code }), code).to.equal(false);
  });
});
