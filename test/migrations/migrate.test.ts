import { expect } from 'chai';
import { migrationNames } from '../../migrations/index.ts';
import { roleOf } from '../../migrations/logins.ts';
import { migrate, SchemaMismatch } from '../../migrations/migrate.ts';
import { logins } from '../../migrations/rights.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { serverUrl } from '../support/database.ts';

const name = `migrated_${process.pid}`;

describe('migrate', () => {
  let server: string;
  let url: string;
  let owner: Database;

  before(async () => {
    server = await serverUrl();
    url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
    await onServer(`create database ${name}`);
    owner = openDatabase(url, { connections: 2 });
  });
  after(async () => {
    await owner.destroy();
    await onServer(
      `drop database ${name} with (force)`,
      ...logins.map((login) => `drop role if exists ${roleOf(name, login)}`),
    );
  });

  async function onServer(...statements: string[]): Promise<void> {
    const database = openDatabase(server, { connections: 1 });
    for (const statement of statements) await database.raw(statement);
    await database.destroy();
  }

  const functionBody = async (): Promise<string> =>
    (await owner.raw(`select prosrc as body from pg_proc where proname = 'refuse_change'`)).rows[0].body;

  it('creates one schema when several processes start at once', async () => {
    await Promise.all([migrate(url, 'live'), migrate(url, 'live'), migrate(url, 'live')]);
    expect(await owner('knex_migrations').pluck('name')).to.deep.equal(migrationNames);
    expect(await owner('sports').pluck('key')).to.have.length(10);
  });

  it('replaces functions that differ', async () => {
    const body = await functionBody();
    await owner.raw(
      'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
    );
    expect(await functionBody()).not.to.equal(body);
    await migrate(url, 'live');
    expect(await functionBody()).to.equal(body);
  });

  it('refuses a database of a later version or one before 1.0, and says what to do', async () => {
    await owner('knex_migrations').update({ name: 'baseline_of_another_version' });
    const refused = await migrate(url, 'live').then(
      () => undefined,
      (error) => error,
    );
    expect(refused).to.be.instanceOf(SchemaMismatch);
    expect(refused.message).to.match(/made by a later version.*use an empty database, or delete/);
  });
});
