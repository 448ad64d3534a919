import { expect } from 'chai';
import { postgresAddress } from '../../src/platform/config/kinds.ts';
import { isUnreachable, openDatabase } from '../../src/platform/database.ts';
import { withDatabase } from '../support/database.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { until } from '../support/until.ts';

/** The query function of a `pg` connection. */
interface Querying {
  query(config: object, done: (...answer: unknown[]) => void): unknown;
}

describe('a connection pool', () => {
  const stores = withDatabase();

  it('reads an instant the same in any session time zone', async () => {
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

  it('keeps the configured number of idle connections open and closes the rest', async () => {
    const { directUrl, owner } = stores;
    const pool = openDatabase(directUrl, { name: 'kept', kept: 1, idleMs: 10 });
    const open = async () => {
      const { rows } = await owner.raw(`select pid from pg_stat_activity where application_name = 'kept'`);
      return rows.map(({ pid }: { pid: number }) => pid);
    };
    try {
      await Promise.all([1, 2, 3].map(() => pool.raw('select pg_sleep(0.05)')));
      const all = await open();
      expect(all).to.have.lengthOf(3);
      await until(async () => (await open()).length < 3);
      await until(async () => (await open()).length === 1);
      const [left] = await open();
      expect(all).to.include(left);
      expect((await pool.raw('select pg_backend_pid() as pid')).rows[0].pid).to.equal(left);
    } finally {
      await pool.destroy();
    }
  });

  it('prepares recurring statements once per connection, and recovers when their tables change', async () => {
    const { directUrl, owner } = stores;
    const pool = openDatabase(directUrl, { prepared: true, connections: 1 });
    const prepared = async () => {
      const { rows } = await pool.raw(
        'select generic_plans + custom_plans as runs from pg_prepared_statements',
      );
      return rows.map(({ runs }: { runs: number }) => runs);
    };
    const select = () => pool('changing').where({ n: 1 }).select();
    await owner.raw('create table changing as select 1 as n; grant select on changing to public');
    try {
      for (let time = 0; time < 6; time += 1) expect(await select()).to.deep.equal([{ n: 1 }]);
      expect(await prepared()).to.deep.equal([4]);
      await owner.raw(`alter table changing add column word text default 'new'`);
      const [error, rows] = [await select().catch((thrown: Error) => thrown.message), await select()];
      expect([error, rows]).to.deep.equal([error, [{ n: 1, word: 'new' }]]);
      expect(error).to.include('cached plan must not change result type');
    } finally {
      await pool.destroy();
      await owner.raw('drop table changing');
    }
  });

  it('serializes the concurrent statements of a transaction, even after one fails', async () => {
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

  it('abandons a silent server, but not one that is only slow with a statement', async () => {
    const outage = await withOutage(stores.url);
    const database = openDatabase(outage.url, { silentMs: 1500 });
    try {
      expect((await database.raw('select pg_sleep(4), 1 as n')).rows[0].n).to.equal(1);
      outage.freeze();
      const error = await database.raw('select 1').then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      expect(isUnreachable(error), String(error)).to.equal(true);
      await outage.cut();
      await outage.restore();
      expect((await database.raw('select 2 as n')).rows[0].n).to.equal(2);
    } finally {
      await database.destroy();
      await outage.close();
    }
  });

  it("fails with the connection's error if a transaction cannot begin", async () => {
    const outage = await withOutage(stores.url);
    const database = openDatabase(outage.url, { connections: 2 });
    const failing = async (work: () => Promise<unknown>) => {
      await Promise.all([database.raw('select 1'), database.raw('select 2')]);
      outage.freeze();
      const failed = work().then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      await outage.cut();
      await outage.restore();
      const error = await failed;
      expect(isUnreachable(error), String(error)).to.equal(true);
    };
    try {
      let begun = 0;
      const work = () => {
        begun += 1;
      };
      await failing(() => database.transaction());
      await failing(() => database.transaction(async () => work()));
      expect(begun).to.equal(0);
      const inner = await database.transaction(async (transaction) => {
        await transaction.raw('select 1 / 0').catch(() => {});
        return transaction.transaction(async () => work()).catch(({ code }) => code);
      });
      expect(inner, 'a savepoint in a failed transaction').to.equal('25P02');
      expect(begun).to.equal(0);
    } finally {
      await database.destroy();
      await outage.close();
    }
  });
});

describe('a connection pool over several servers', () => {
  const stores = withDatabase();

  /** Returns a URL with the proxies' hosts in order, as an operator writes it. */
  const over = (...outages: Outage[]) => {
    const url = new URL(stores.url);
    const hosts = outages.map((outage) => new URL(outage.url).host).join(',');
    return postgresAddress(stores.url.replace(url.host, hosts));
  };

  it('connects to the one that answers, and finds the other after a failover', async () => {
    const [one, other] = [await withOutage(stores.url), await withOutage(stores.url)];
    const database = openDatabase(over(one, other), { connections: 2 });
    try {
      await one.cut();
      expect((await database.raw('select 1 as n')).rows[0].n).to.equal(1);
      await one.restore();
      await other.cut();
      const answered = async () =>
        (await database.raw('select 1 as n').catch(() => undefined))?.rows[0].n === 1;
      await until(answered);
    } finally {
      await database.destroy();
      await one.close();
      await other.close();
    }
  });

  it('accepts no standby, and leaves a primary that has become one', async () => {
    // A pooler's sessions would keep the setting from when they started.
    const [one, other] = [await withOutage(stores.directUrl), await withOutage(stores.directUrl)];
    const database = openDatabase(over(one, other), { connections: 1 });
    const name = new URL(stores.url).pathname.slice(1);
    const write = () =>
      database('cappers')
        .update({ verified: true })
        .then(
          () => 'stored',
          (error: Error) => [isUnreachable(error), (error as { code?: string }).code],
        );
    try {
      // For a statement, a standby is a server with read-only transactions.
      await stores.owner.raw(`alter database ${name} set default_transaction_read_only = on`);
      expect(await write()).to.deep.equal([true, '25006']);
      await stores.owner.raw(`alter database ${name} reset default_transaction_read_only`);
      expect((await database.raw('select 1 as n')).rows[0].n).to.equal(1);

      await database.raw('set default_transaction_read_only = on');
      expect(await write()).to.deep.equal([true, '25006']);
      const { rows } = await database.raw('show default_transaction_read_only');
      expect(rows, 'another connection').to.deep.equal([{ default_transaction_read_only: 'off' }]);
    } finally {
      await stores.owner.raw(`alter database ${name} reset default_transaction_read_only`);
      await database.destroy();
      await one.close();
      await other.close();
    }
  });
});

describe('isUnreachable', () => {
  it('distinguishes an outage from a wrong statement', () => {
    for (const code of ['ECONNREFUSED', 'EPIPE', '57P01', '08006', '53100', '55P03', '25P03', '25006'])
      expect(isUnreachable({ code }), code).to.equal(true);
    for (const code of ['23505', '42P01', '23001']) expect(isUnreachable({ code }), code).to.equal(false);
  });
});
