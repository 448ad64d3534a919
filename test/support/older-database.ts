import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrationsFor } from '../../migrations/index.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import type { LogKind } from '../../src/platform/log-kind.ts';
import { closeAfter } from './cleanup.ts';
import { migrateForTests, serverUrl } from './database.ts';

/** A database with an older schema. To be used inside hooks and tests. */
export interface OlderDatabase {
  /** A pool under the superuser. */
  readonly owner: Database;
  /** Brings it to the newest schema. @param kind of the log, where none has begun; default `replay` */
  migrate(kind?: LogKind): Promise<void>;
}

/** Gives the tests of the surrounding `describe` an empty database with the migrations before the one named, and drops it after them. */
export function withDatabaseBefore(migration: string): OlderDatabase {
  let opened: { owner: Database; url: string } | undefined;
  before(async function () {
    this.timeout(60_000);
    const name = `older_${process.pid}_${randomBytes(4).toString('hex')}`;
    const server = await serverUrl();
    await run(server, `create database ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    const owner = openDatabase(url.href, { name: 'test owner', connections: 3 });
    opened = { owner, url: url.href };
    closeAfter(this, async () => {
      await owner.destroy();
      await run(server, `drop database ${name} with (force)`);
    });
    const migrations = migrationsFor('replay');
    const all = await migrations.getMigrations([]);
    const earlier = all.slice(
      0,
      all.findIndex((each) => migrations.getMigrationName(each) === migration),
    );
    await owner.migrate.latest({
      migrationSource: { ...migrations, getMigrations: () => Promise.resolve(earlier) },
    });
  });
  return {
    get owner() {
      return opened!.owner;
    },
    migrate: (kind = 'replay') => migrateForTests(opened!.url, kind),
  };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
