import { expect } from 'chai';
import pg from 'pg';
import { bringUp } from '../../src/local/bring-up.ts';
import { preparePostgres } from '../../src/local/postgres.ts';
import { createSupervisor } from '../../src/local/supervisor.ts';
import { discardPostgres } from '../support/discard-postgres.ts';
import { withFolder } from '../support/folders.ts';
import { until } from '../support/until.ts';

describe('the embedded PostgreSQL', () => {
  const folder = withFolder();

  it('creates its databases even if the server drops the connection meanwhile', async () => {
    const { signal } = new AbortController();
    const supervisor = createSupervisor({ say: () => {} });
    const postgres = await preparePostgres({
      dataDir: folder.path(),
      say: () => {},
      aborted: signal,
      databases: ['picks'],
      disposable: true,
    });
    const clients: pg.Client[] = [];
    const connect = async (database: string) => {
      const client = new pg.Client(postgres.superuserUrl(database));
      client.on('error', () => {});
      clients.push(client);
      await client.connect();
      return client;
    };
    try {
      supervisor.run(postgres.program);
      await until(() => connect('postgres').then(Boolean, () => false));
      // A database is copied only from one without connections, for which it waits five seconds.
      const inTemplate = await connect('template1');
      const watcher = await connect('postgres');
      const making = bringUp(postgres, { ...supervisor, run: () => {} }, signal);
      making.catch(() => {});
      await until(async () => {
        const { rowCount } = await watcher.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where query like 'create database%' and pid <> pg_backend_pid()
             and state = 'active'`,
        );
        return rowCount === 1;
      });
      await inTemplate.end();
      await making;
      await connect('picks');
    } finally {
      await Promise.all(clients.map((client) => client.end().catch(() => {})));
      await supervisor.stop();
      discardPostgres(folder.path());
    }
    expect(supervisor.endings('postgres')).to.equal(0);
  });
});
