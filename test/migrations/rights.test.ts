import { expect } from 'chai';
import pg from 'pg';
import { compareRights, rightsOf, tableRights } from '../../migrations/grants.ts';
import { applyLogins, LoginsIncomplete } from '../../migrations/logins.ts';
import { migrate } from '../../migrations/migrate.ts';
import { type Login, logins, tables } from '../../migrations/rights.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { rejection } from '../proof/rejection.ts';
import { asLogin, serverUrl, withDatabase } from '../support/database.ts';

/** Statements that must fail under every login, and the message of each refusal. */
const forbidden: Record<string, RegExp> = {
  'create temp table unsealed_events (kind text)': /permission denied to create temporary tables/,
  'create table public.mine (a int)': /permission denied for schema public/,
  'create schema mine': /permission denied for database/,
  'alter table picks disable trigger all': /must be owner/,
  "set session_replication_role = 'replica'": /permission denied to set parameter/,
  'set role postgres': /permission denied to set role/,
  'set session authorization postgres': /permission denied to set session authorization/,
  'drop function picks_posted() cascade': /must be owner/,
  'select picks_posted()': /permission denied for function|trigger functions/,
  'create role mine': /permission denied to create role/,
  "copy (select 1) to program 'true'": /permission denied to COPY/,
};

describe('the rights of the logins', () => {
  const stores = withDatabase();

  it('are exactly those that migrations/rights.ts declares', async () => {
    expect(await compareRights(stores.owner)).to.deep.equal({ missing: [], undeclared: [] });
  });

  it('are revoked and granted until they match, whatever was changed', async () => {
    await stores.owner.raw(`
      grant update on picks to test_web;
      grant select (secret_sealed) on webhook_subscriptions to test_status;
      grant delete on ledger_entries to public;
      grant execute on function note_change() to public;
      revoke insert on picks from test_operator`);
    const { missing, undeclared } = await compareRights(stores.owner);
    const named = new Set(missing.map(({ role, right }) => `${role} ${right}`));
    expect([...named]).to.deep.equal(['test_operator insert']);
    const columns = missing.map(({ column }) => column);
    expect(columns, 'every column except the identity').to.include('uuid').and.not.include('id');
    expect(undeclared.map(({ role, right }) => `${role} ${right}`)).to.have.members([
      'test_web update',
      'test_status select',
      'null delete',
      'null execute',
    ]);
    await applyLogins(stores.owner, { prefix: 'test' });
    expect(await compareRights(stores.owner)).to.deep.equal({ missing: [], undeclared: [] });
  });

  for (const login of logins)
    it(`let ${login} do nothing else`, async () => {
      const client = new pg.Client({ connectionString: asLogin(stores.url, login) });
      await client.connect();
      try {
        const refused = async (sql: string) => {
          await client.query('begin');
          const error = await client.query(sql).then(
            () => undefined,
            (error: Error) => error.message,
          );
          await client.query('rollback');
          return error ?? 'it was allowed';
        };
        for (const [sql, message] of Object.entries(forbidden))
          expect(await refused(sql), sql).to.match(message);
        // `reset role` is allowed, and grants nothing.
        await client.query('reset role');
        expect((await client.query('select current_user as role')).rows).to.deep.equal([
          { role: `test_${login}` },
        ]);
        for (const [table, rights] of Object.entries(tables)) {
          const own = rightsOf(tableRights(rights)[login] ?? '').map(({ right }) => right);
          const attempts = {
            select: `select * from ${table}`,
            insert: `insert into ${table} default values`,
            delete: `delete from ${table}`,
            truncate: `truncate ${table}`,
          };
          for (const [right, sql] of Object.entries(attempts))
            if (!own.includes(right)) expect(await refused(sql), sql).to.match(/permission denied/);
        }
      } finally {
        await client.end();
      }
    });

  it('hide the secrets of webhooks from all logins but web and webhooks', async () => {
    const readers: Login[] = [];
    for (const login of logins) {
      const database = openDatabase(asLogin(stores.url, login), { connections: 1 });
      await database('webhook_subscriptions')
        .select('secret_sealed', 'target_url_sealed')
        .then(
          () => readers.push(login),
          () => {},
        );
      await database.destroy();
    }
    expect(readers).to.deep.equal(['web', 'webhooks']);
  });

  it('let sealing remove only sealed events', async () => {
    await stores.owner('notices').insert({ at: new Date(0), topic: 'remark', text: 'Not sealed yet.' });
    const sealing = openDatabase(asLogin(stores.url, 'sealing'), { connections: 1 });
    expect((await rejection(sealing('unsealed_events').delete())).message).to.match(/is not sealed/);
    await sealing.destroy();
  });
});

describe('the logins of a database whose owner has only CREATEROLE', () => {
  const name = `test_owner_${process.pid}`;
  let server: string;
  let ownerUrl: string;
  const admin = async (...statements: string[]) => {
    const database = openDatabase(server, { connections: 1 });
    for (const statement of statements) await database.raw(statement);
    await database.destroy();
  };
  const password = 'a-password-for-tests';
  const passwords = Object.fromEntries(logins.map((login) => [login, password]));
  const under = (role: string) => Object.assign(new URL(ownerUrl), { username: role, password }).href;

  before(async () => {
    server = await serverUrl();
    ownerUrl = Object.assign(new URL(server), { username: name, password, pathname: `/${name}` }).href;
    await admin(
      `create role ${name} login createrole password '${password}'`,
      `create database ${name} owner ${name}`,
    );
  });
  after(() =>
    admin(
      `drop database ${name} with (force)`,
      ...logins.map((login) => `drop role if exists ${name}_${login}`),
      `drop role ${name}`,
    ),
  );

  it('are created with the schema, idempotently, and are no members of the owner', async () => {
    await migrate(ownerUrl, 'live', { passwords });
    await migrate(ownerUrl, 'live', { passwords });
    const database = openDatabase(under(`${name}_sealing`), { connections: 1 });
    const { rows } = await database.raw(
      `select current_user as role, pg_has_role(?, 'member') as owner,
      current_setting('timezone') as zone, current_setting('lock_timeout') as lock`,
      [name],
    );
    expect(rows).to.deep.equal([{ role: `${name}_sealing`, owner: false, zone: 'UTC', lock: '15s' }]);
    expect(await compareRights(database)).to.deep.equal({ missing: [], undeclared: [] });
    await database.destroy();
  });

  it('get their rights if an administrator created the roles', async () => {
    await admin(
      `alter role ${name} nocreaterole`,
      ...logins.map((login) => `revoke ${name}_${login} from ${name}`),
    );
    await migrate(ownerUrl, 'live');
    const refused = await rejection(migrate(ownerUrl, 'live', { passwords: { web: password } }));
    expect(refused).to.be.instanceOf(LoginsIncomplete);
    expect(refused.message).to.equal(
      `An administrator must run these statements, then migrate again:\n  alter role "${name}_web" password '...';`,
    );
  });

  it('are requested if the owner may not create them', async () => {
    const owner = openDatabase(server.replace(/\/[^/]*$/, `/${name}`), { connections: 1 });
    await owner.raw(`drop owned by ${name}_web`);
    await owner.raw(`drop role ${name}_web`);
    await owner.destroy();
    const refused = await rejection(migrate(ownerUrl, 'live'));
    expect(refused).to.be.instanceOf(LoginsIncomplete);
    expect(refused.message).to.contain(`create role "${name}_web" login;`);
  });
});
