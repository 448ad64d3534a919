import { expect } from 'chai';
import {
  isUnreachable,
  migrate,
  openDatabase,
  openOwnerDatabase,
  serviceRole,
} from '../../src/platform/database.ts';
import { serverUrl, withDatabase } from '../support/database.ts';

let server: string;
before(async () => {
  server = await serverUrl();
});

describe('a database under an owner who is no superuser', () => {
  // Makes the service's role, which is the whole server's.
  withDatabase();
  const name = `test_owner_${process.pid}`;
  const url = () => {
    const address = new URL(server);
    Object.assign(address, { username: name, password: 'secret', pathname: `/${name}` });
    return address.href;
  };

  before(async () => {
    const admin = openOwnerDatabase(server, { connections: 1 });
    await admin.raw(`create role ${name} login createrole password 'secret'`);
    await admin.raw(`create database ${name} owner ${name}`);
    await admin.destroy();
  });
  after(async () => {
    const admin = openOwnerDatabase(server, { connections: 1 });
    await admin.raw(`drop database ${name} with (force)`);
    await admin.raw(`revoke ${serviceRole} from ${name} cascade`);
    await admin.raw(`drop role ${name}`);
    await admin.destroy();
  });

  it('is migrated, twice without harm, and served under the role without rights to change the ledger', async () => {
    // Another owner made the role, so this one must be granted it by hand.
    const admin = openOwnerDatabase(server, { connections: 1 });
    await admin.raw(`grant ${serviceRole} to ${name} with admin option`);
    await admin.destroy();
    await migrate(url(), 'live');
    await migrate(url(), 'live');
    const database = openDatabase(url());
    const { rows: who } = await database.raw('select current_user as role, session_user as owner');
    expect(who).to.deep.equal([{ role: serviceRole, owner: name }]);
    await database.destroy();
  });
});

describe('a connection that the service cannot use', () => {
  it('is closed, so that trying again and again does not use up the server', async () => {
    const admin = openOwnerDatabase(server, { connections: 1 });
    const name = `test_norole_${process.pid}`;
    await admin.raw(`create role ${name} login password 'secret'`);
    const address = new URL(server);
    Object.assign(address, { username: name, password: 'secret' });
    const database = openDatabase(address.href, { connectTimeout: 1000 });
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(
        await database.raw('select 1').then(
          () => 'it answered',
          (error: Error) => error.message,
        ),
      ).to.match(/permission denied/);
    await database.destroy();
    await new Promise((next) => setTimeout(next, 200));
    const { rows } = await admin.raw('select from pg_stat_activity where usename = ?', [name]);
    expect(rows).to.deep.equal([]);
    await admin.raw(`drop role ${name}`);
    await admin.destroy();
  });
});

describe('isUnreachable', () => {
  it('tells an outage from a wrong statement', () => {
    for (const code of ['ECONNREFUSED', 'EPIPE', '57P01', '08006'])
      expect(isUnreachable({ code }), code).to.equal(true);
    for (const code of ['23505', '42P01', '23001']) expect(isUnreachable({ code }), code).to.equal(false);
  });
});
