import { expect } from 'chai';
import type { Database } from '../../src/platform/database.ts';
import { openReplica, type Replica } from '../../src/platform/replica.ts';
import { withDatabase } from '../support/database.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { quiet } from '../support/quiet.ts';

/**
 * The server simulates its own standby: functions that shadow PostgreSQL's report its replayed position. A startup parameter selects them,
 * which a pooler does not pass on.
 */
describe('reads on a standby', () => {
  const stores = withDatabase();
  let outage: Outage;
  let replica: Replica;

  before(async () => {
    await stores.owner.raw(`
      create schema standby;
      create table standby.state (is_standby boolean, replayed pg_lsn);
      insert into standby.state values (true, null);
      create function standby.pg_is_in_recovery() returns boolean language sql as 'select is_standby from standby.state';
      create function standby.pg_last_wal_replay_lsn() returns pg_lsn language sql as 'select replayed from standby.state';
      grant usage on schema standby to test_service;
      grant select on standby.state to test_service`);
  });
  beforeEach(async () => {
    outage = await withOutage(stores.directUrl);
    const path = encodeURIComponent('-c search_path=standby,pg_catalog,public');
    replica = openReplica(`${outage.url}?options=${path}`, quiet, {
      name: 'standby',
      catchUpMs: 200,
      restMs: 60_000,
    });
  });
  afterEach(async () => {
    await replica.close();
    await outage.close();
  });

  const replayed = (lsn: string, isStandby = true) =>
    stores.owner.raw(`update standby.state set is_standby = ?, replayed = ${lsn}`, [isStandby]);
  const behind = () => replayed(`'0/1'`);
  // Beyond everything that other tests on this server write meanwhile.
  const caughtUp = () => replayed(`'FFFFFFFF/0'`);
  const where = async (database: Database) => {
    const { rows } = await database.raw('show search_path');
    return rows[0].search_path.startsWith('standby') ? 'standby' : 'primary';
  };
  const read = () => replica.read(where, stores.database);

  it("are served by the standby once it has replayed the primary's position", async () => {
    await caughtUp();
    expect(await read()).to.equal('standby');
    expect(await Promise.all([read(), read(), read()])).to.deep.equal(['standby', 'standby', 'standby']);
  });

  it('wait a moment for the standby', async () => {
    await behind();
    const reading = read();
    await caughtUp();
    expect(await reading).to.equal('standby');
  });

  it('go to the primary while the standby lags, and for a while after', async () => {
    await behind();
    expect(await read()).to.equal('primary');
    await caughtUp();
    expect(await read(), 'while skipped').to.equal('primary');
  });

  it('never use a former standby that has become a primary', async () => {
    await replayed(`'FFFFFFFF/0'`, false);
    expect(await read()).to.equal('primary');
  });

  it('go to the primary if the standby is down or cancels a statement', async () => {
    await caughtUp();
    let runs = 0;
    const cancelled = async (database: Database) => {
      runs += 1;
      if ((await where(database)) === 'standby')
        await database.raw(`do $$ begin raise exception using errcode = '40001'; end $$`);
      return where(database);
    };
    expect(await replica.read(cancelled, stores.database)).to.equal('primary');
    expect(runs).to.equal(2);
    await outage.cut();
    expect(await read()).to.equal('primary');
  });

  it('cannot write, and pass on errors of the work itself', async () => {
    await caughtUp();
    const writing = (database: Database) =>
      database('cappers')
        .update({ verified: true })
        .then(() => where(database));
    expect(await replica.read(writing, stores.database)).to.equal('primary');
    const other = openReplica(stores.url, quiet, { name: 'standby' });
    const thrown = await other
      .read(() => Promise.reject(new RangeError('no such pick')), stores.database)
      .catch(String);
    await other.close();
    expect(thrown).to.equal('RangeError: no such pick');
  });
});
