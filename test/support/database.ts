import { createHash, randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import pg from 'pg';
import { roleOf } from '../../migrations/logins.ts';
import { migrate } from '../../migrations/migrate.ts';
import { type Login, logins } from '../../migrations/rights.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import type { LogKind } from '../../src/rules/vocabulary.ts';
import { requestService } from './broker.ts';
import { closeAfter } from './cleanup.ts';
import { patienceMs } from './patience.ts';
import { ask, through } from './pgbouncer.ts';
import { sharedMemory } from './shared-memory.ts';

/** A test file's own database, with the current schema. For use inside hooks and tests. */
export interface TestDatabase {
  /** The URL under a test role with the rights of all logins of the service. */
  readonly url: string;
  /** The URL that bypasses a pooler: for a test whose sessions change settings, which a pooler does not pass on. */
  readonly directUrl: string;
  /** The URL under the superuser. */
  readonly ownerUrl: string;
  /** A pool on `url`. */
  readonly database: Database;
  /** A pool under the superuser, for setup that the service has no right to. */
  readonly owner: Database;
}

export interface DatabaseOptions {
  /** The kind of the log. Default: `replay`, since tests set clocks. */
  kind?: LogKind;
  /** Default: empty. */
  filling?: Filling;
}

/**
 * Gives the tests of the surrounding `describe` their own database, cloned from an empty or filled template. The suite fails if it leaves
 * a connection to it open.
 */
export function withDatabase(options: DatabaseOptions = {}): TestDatabase {
  let opened: (TestDatabase & { name: string }) | undefined;
  before(async function () {
    // The first suite to ask fills the template.
    this.timeout(600_000);
    opened = await createDatabase(options);
    const mine = opened;
    closeAfter(this, () => leaveDatabase(mine));
  });
  const get = (): TestDatabase => {
    if (opened === undefined) throw new Error('the test database exists only within hooks and tests');
    return opened;
  };
  return {
    get url() {
      return get().url;
    },
    get directUrl() {
      return get().directUrl;
    },
    get ownerUrl() {
      return get().ownerUrl;
    },
    get database() {
      return get().database;
    },
    get owner() {
      return get().owner;
    },
  };
}

/** The rows of a template, for suites that read the same ones. */
export interface Filling {
  /** Names the template. It must be unique among fillings. */
  name: string;
  fill(database: Database): Promise<void>;
}

/** Clones the template, outside of tests. */
export async function createDatabase({
  kind = 'replay',
  filling,
}: DatabaseOptions = {}): Promise<TestDatabase & { name: string }> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await onServer(async (client) => {
    const empty = await ensureTemplate(client, kind);
    const template = filling === undefined ? empty : await ensureFilled(client, empty, filling);
    await clone(client, template, name);
    // A clone does not inherit the rights on the database itself.
    await client.query(`revoke all on database ${name} from public`);
    await client.query(`grant connect on database ${name} to ${loginRoles.join(', ')}`);
  });
  const ownerUrl = await addressOf(name);
  const pooler = await poolerUrl();
  const directUrl = asRole(ownerUrl, serviceRole);
  const url = pooler === undefined ? directUrl : through(pooler, directUrl);
  return {
    name,
    url,
    directUrl,
    ownerUrl,
    database: openDatabase(url, { name: 'test' }),
    owner: openDatabase(ownerUrl, { name: 'test owner', connections: 3 }),
  };
}

/** Drops the database. Fails if connections to it are open. */
export function dropDatabase(opened: TestDatabase & { name: string }): Promise<void> {
  return closeDatabase(opened, async () => true);
}

/**
 * Leaves a clone on disk to the end of the run, which removes the whole cluster, unless it is large or on a permanent server. A clone is
 * some 770 files, and ext4 creates files half as fast after that many were removed within a minute.
 */
function leaveDatabase(opened: TestDatabase & { name: string }): Promise<void> {
  return closeDatabase(opened, async (client) => {
    if (process.env.TEST_DATABASE_URL) return true;
    const { rowCount } = await client.query(
      `select where current_setting('data_directory') like $2 || '/%' or pg_database_size($1) > 64 * 1024 * 1024`,
      [opened.name, sharedMemory],
    );
    return rowCount === 1;
  });
}

async function closeDatabase(
  { name, database, owner }: TestDatabase & { name: string },
  isDropped: (client: pg.Client) => Promise<boolean>,
): Promise<void> {
  await Promise.all([database.destroy(), owner.destroy()]);
  const leaked = await onServer(async (client) => {
    const open = await openConnections(client, name);
    if (await isDropped(client)) await client.query(`drop database ${name} with (force)`);
    return open;
  });
  if (leaked.length > 0) throw new Error(`connections are still open: ${leaked.join('; ')}`);
}

/** Returns the connections to a database that remain after closed ones have had time to disappear. */
async function openConnections(client: pg.Client, name: string): Promise<string[]> {
  const pooler = await poolerUrl();
  const deadline = Date.now() + patienceMs;
  for (;;) {
    // A pooler keeps its own connections to the server.
    const open = await (pooler === undefined ? connectionsTo(client, name) : clientsOf(pooler, name));
    if (open.length === 0 || Date.now() > deadline) return open;
    await new Promise((next) => setTimeout(next, 50));
  }
}

async function connectionsTo(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ what: string }>(
    `select application_name || ' (' || left(query, 200) || ')' as what from pg_stat_activity
     where datname = $1 and backend_type = 'client backend'`,
    [name],
  );
  return rows.map(({ what }) => what);
}

async function clientsOf(pooler: string, name: string): Promise<string[]> {
  const clients = await ask(pooler, 'show clients');
  return clients.filter(({ database }) => database === name).map((each) => each.application_name ?? '');
}

/** Returns the console URL of the pooler if `TEST_PGBOUNCER` is 1. Setup and inspection still use the server directly. */
async function poolerUrl(): Promise<string | undefined> {
  return process.env.TEST_PGBOUNCER === '1' ? requestService('pgbouncer') : undefined;
}

/** Prefix and password of the logins of all test databases. */
const prefix = 'test';
const password = 'a-password-of-tests';
const loginRoles = logins.map((login) => roleOf(prefix, login));

/** Returns the URL of a test database under one login of the service: the `DATABASE_URL` of a real process. */
export function asLogin(url: string, login: Login): string {
  return asRole(url, roleOf(prefix, login));
}

/** Returns the login of a process's entry point, such as `workers/sealing.ts`. */
export function loginOf(entry: string): Login {
  const name = basename(entry, '.ts');
  return name === 'server' ? 'web' : (name as Login);
}

function asRole(url: string, role: string): string {
  return Object.assign(new URL(url), { username: role, password }).href;
}

/** A member of all logins: tests of functions use one pool for several processes' work. */
const serviceRole = 'test_service';

/** An audit's findings in every test database: the role above, a server that may lose data in a crash, and a missing log-kind notice. */
export const expectedOfTests = [`member ${serviceRole} of *`, 'server setting *', 'log_kind id 1'];

/** The users of test databases, with their passwords. */
export const testUsers = Object.fromEntries([...loginRoles, serviceRole].map((role) => [role, password]));

/** Migrates a test database. Calls serialize, since the databases share the logins' roles. */
export async function migrateForTests(url: string, kind: LogKind): Promise<void> {
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [prefix]);
    const passwords = Object.fromEntries(logins.map((login) => [login, password]));
    await migrate(url, kind, { prefix, passwords });
    await makeServiceRole(client);
  });
}

async function makeServiceRole(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [serviceRole]);
  if (rowCount === 0) await client.query(`create role ${serviceRole} login password '${password}'`);
  await client.query(`grant ${loginRoles.join(', ')} to ${serviceRole}`);
  await client.query(`alter role ${serviceRole} set jit = off`);
  await client.query(`alter role ${serviceRole} set timezone = 'UTC'`);
}

/** Clones by copying files: copying pages through the write-ahead log takes twice as long. */
async function clone(client: pg.Client, template: string, name: string): Promise<void> {
  await client.query(`create database ${name} template ${template} strategy file_copy`);
}

/** Creates the empty template with the current schema, once per state of the migrations. */
function ensureTemplate(client: pg.Client, kind: LogKind): Promise<string> {
  return ensureDatabase(client, `template_${kind}_${hashOf(['migrations'])}`, async (draft) => {
    await client.query(`create database ${draft}`);
    await migrateForTests(await addressOf(draft), kind);
    await withoutNotice(await addressOf(draft));
  });
}

/** Creates the filled template, once per state of the code that fills it. */
function ensureFilled(client: pg.Client, empty: string, { name, fill }: Filling): Promise<string> {
  const filled = `filled_${hashOf(['migrations', 'src', 'test/fixtures', 'test/support'], name)}`;
  return ensureDatabase(client, filled, async (draft) => {
    await clone(client, empty, draft);
    const database = openDatabase(asRole(await addressOf(draft), serviceRole), { name: 'test filling' });
    try {
      await fill(database);
    } finally {
      await database.destroy();
    }
    // `npm test` disables autovacuum, and without statistics PostgreSQL plans badly.
    await analyze(await addressOf(draft));
  });
}

async function analyze(url: string): Promise<void> {
  const owner = openDatabase(url, { connections: 1, name: 'test filling' });
  try {
    await owner.raw('analyze');
  } finally {
    await owner.destroy();
  }
}

/** Creates a database unless it exists. Concurrent calls serialize. */
async function ensureDatabase(
  client: pg.Client,
  name: string,
  make: (draft: string) => Promise<void>,
): Promise<string> {
  await client.query('select pg_advisory_lock(hashtext($1))', [name]);
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount !== 0) return name;
    // The draft name lasts until the database is complete, so that an interrupted run leaves nothing half-made.
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await make(draft);
    await client.query(`alter database ${draft} rename to ${name}`);
    return name;
  } finally {
    await client.query('select pg_advisory_unlock(hashtext($1))', [name]);
  }
}

/** Removes the log-kind notice, so that test logs start with the tests' own entries. */
async function withoutNotice(url: string): Promise<void> {
  const owner = openDatabase(url, { connections: 1, name: 'test template' });
  try {
    await owner.raw(`
      alter table notices disable trigger notices_append_only;
      delete from notices;
      alter table notices enable always trigger notices_append_only;
      alter table notices alter id restart;
      alter table unsealed_events disable trigger check_unsealed_removed;
      delete from unsealed_events;
      alter table unsealed_events enable always trigger check_unsealed_removed;
      alter table unsealed_events alter id restart`);
  } finally {
    await owner.destroy();
  }
}

/** Returns a short hash of the files in some folders, and of a text. */
function hashOf(folders: readonly string[], text = ''): string {
  const root = resolve(import.meta.dirname, '..', '..');
  const hash = createHash('sha256').update(text);
  for (const file of folders.flatMap((folder) => globSync(`${folder}/**/*.*`, { cwd: root })).sort())
    hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: await serverUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function addressOf(name: string): Promise<string> {
  const url = new URL(await serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

let server: Promise<string> | undefined;

/** Returns the URL of the maintenance database of the tests' PostgreSQL, under its superuser. */
export function serverUrl(): Promise<string> {
  server ??= requestService('postgres');
  return server;
}
