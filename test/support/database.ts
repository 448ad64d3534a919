import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { type Database, migrate, openDatabase, openOwnerDatabase } from '../../src/platform/database.ts';
import type { LogKind } from '../../src/platform/log-kind.ts';
import { requestService } from './broker.ts';
import { closeAfter } from './cleanup.ts';

/** A database of a test file's own, with the newest schema and nothing in it. To be used inside hooks and tests. */
export interface TestDatabase {
  /** For `DATABASE_URL`; the service switches to its role on it. */
  readonly url: string;
  /** A pool under the service's role. */
  readonly database: Database;
  /** A pool under the superuser: for setting up what the service may not do. */
  readonly owner: Database;
}

export interface DatabaseKind {
  /** Of the log. Default: `replay`, since tests set clocks. */
  kind?: LogKind;
}

/**
 * Gives the tests of the surrounding `describe` a fresh database, cloned from a migrated template, and drops it after them. They fail
 * when they leave a connection to it open.
 */
export function withDatabase({ kind = 'replay' }: DatabaseKind = {}): TestDatabase {
  let opened: (TestDatabase & { name: string }) | undefined;
  before(async function () {
    this.timeout(60_000);
    opened = await createDatabase({ kind });
    const mine = opened;
    closeAfter(this, () => dropDatabase(mine));
  });
  const get = (): TestDatabase => {
    if (opened === undefined) throw new Error('the test database is there within hooks and tests only');
    return opened;
  };
  return {
    get url() {
      return get().url;
    },
    get database() {
      return get().database;
    },
    get owner() {
      return get().owner;
    },
  };
}

/** Clones the template, outside of tests. */
export async function createDatabase({
  kind = 'replay',
}: DatabaseKind = {}): Promise<TestDatabase & { name: string }> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await onServer(async (client) => {
    const template = await ensureTemplate(client, kind);
    await client.query(`create database ${name} template ${template}`);
  });
  const url = await urlOf(name);
  return {
    name,
    url,
    database: openDatabase(url, { name: 'test' }),
    owner: openOwnerDatabase(url, { name: 'test owner', connections: 3 }),
  };
}

/** Drops it again; fails when connections to it are open. */
export async function dropDatabase({
  name,
  database,
  owner,
}: TestDatabase & { name: string }): Promise<void> {
  await Promise.all([database.destroy(), owner.destroy()]);
  const leaked = await onServer(async (client) => {
    const open = await openConnections(client, name);
    await client.query(`drop database ${name} with (force)`);
    return open;
  });
  if (leaked.length > 0) throw new Error(`connections were left open: ${leaked.join('; ')}`);
}

/** What is still connected to a database after a moment in which closed connections vanish. */
async function openConnections(client: pg.Client, name: string): Promise<string[]> {
  const deadline = Date.now() + 2000;
  for (;;) {
    const { rows } = await client.query<{ what: string }>(
      `select application_name || ' (' || left(query, 200) || ')' as what from pg_stat_activity where datname = $1`,
      [name],
    );
    if (rows.length === 0 || Date.now() > deadline) return rows.map(({ what }) => what);
    await new Promise((next) => setTimeout(next, 50));
  }
}

/** Makes the template once for each state of the migrations, whoever else wants it at the same time. */
async function ensureTemplate(client: pg.Client, kind: LogKind): Promise<string> {
  const name = `template_${kind}_${migrationsHash()}`;
  await client.query('select pg_advisory_lock(hashtext($1))', [name]);
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount !== 0) return name;
    // Under another name until it is complete, so that an interrupted run leaves nothing half made.
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft}`);
    await migrate(await urlOf(draft), kind);
    await withoutNotice(await urlOf(draft));
    await client.query(`alter database ${draft} rename to ${name}`);
    return name;
  } finally {
    await client.query('select pg_advisory_unlock(hashtext($1))', [name]);
  }
}

/** Removes the notice of the log's kind, so that the logs of tests begin with what the tests store. */
async function withoutNotice(url: string): Promise<void> {
  const owner = openOwnerDatabase(url, { connections: 1, name: 'test template' });
  try {
    await owner.raw(`
      alter table notices disable trigger notices_append_only;
      delete from notices;
      alter table notices enable always trigger notices_append_only;
      alter table notices alter id restart;
      truncate unsealed_events restart identity`);
  } finally {
    await owner.destroy();
  }
}

function migrationsHash(): string {
  const folder = resolve(import.meta.dirname, '..', '..', 'migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)));
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

async function urlOf(name: string): Promise<string> {
  const url = new URL(await serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

let server: Promise<string> | undefined;

/** The maintenance database of the tests' PostgreSQL, under its superuser. */
export function serverUrl(): Promise<string> {
  server ??= requestService('postgres');
  return server;
}
