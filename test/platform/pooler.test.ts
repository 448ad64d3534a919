import { expect } from 'chai';
import pg from 'pg';
import { postgresStore } from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { onPath } from '../../src/local/processes.ts';
import { canFetchPackages } from '../../src/local/system-packages.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { connectionProbe, keptProbe } from '../../src/platform/postgres-probe.ts';
import { requestService } from '../support/broker.ts';
import { withDatabase } from '../support/database.ts';
import { ask, through } from '../support/pgbouncer.ts';

/** `TEST_PGBOUNCER=1 npm test` runs every test through the pooler. These tests cover unusual demands on a connection. */
describe('a pooler in transaction mode', () => {
  const stores = withDatabase();
  let pooler = '';
  let url = '';

  before(async function () {
    if (onPath('pgbouncer') === undefined && !canFetchPackages()) this.skip();
    this.timeout(300_000);
    pooler = await requestService('pgbouncer');
    url = through(pooler, stores.url);
  });
  after(async () => {
    // It keeps its own connections to the server.
    if (pooler !== '') await ask(pooler, `kill ${new URL(url).pathname.slice(1)}`);
  });

  it('serves several pools over few connections to the server', async () => {
    const pools = Array.from({ length: 3 }, (_, index) =>
      openDatabase(url, { name: `pool ${index}`, connections: 4, prepared: true }),
    );
    try {
      const backends = await Promise.all(
        pools.flatMap((database) =>
          Array.from({ length: 4 }, async () => {
            await database.transaction((transaction) => transaction.raw('select pg_sleep(0.01)'));
            // Another connection of the server might know the name of a prepared statement.
            await database.raw('select cast(? as int)', [1]);
            const { rows } = await database.raw('select pg_backend_pid() as pid');
            return rows[0].pid;
          }),
        ),
      );
      expect(new Set(backends).size).to.be.within(1, 5);
    } finally {
      await Promise.all(pools.map((database) => database.destroy()));
    }
  });

  it('serves probes and the checkpoint store', async () => {
    const probe = keptProbe(url);
    await probe();
    probe.close?.();
    await connectionProbe(url, 5000)();
    await stores.owner.raw(
      'create table public_picks_checkpoint (place text primary key, note text not null, written_at timestamptz not null default now())',
    );
    await stores.owner.raw('grant select, insert, update on public_picks_checkpoint to test_service');
    const store = postgresStore(url);
    expect(await store.compareAndSwap(null, "a note's text")).to.equal(true);
    expect(await store.compareAndSwap('another', 'next')).to.equal(false);
    expect(await store.read()).to.equal("a note's text");
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('show statement_timeout');
    await client.end();
    expect(rows, 'left behind by the checkpoint store').to.deep.equal([{ statement_timeout: '0' }]);
  });
});
