import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { migrationsFor } from '../../migrations/index.ts';
import { type Database, openDatabase } from './database.ts';
import type { LogKind } from './log-kind.ts';
import { applyLogins, type LoginOptions } from './logins.ts';

/**
 * Brings a database to the newest schema, and its roles and rights to what is declared, under the owner's role. Idempotent, and safe to run
 * concurrently.
 * @param kind of a log that begins here; without effect on one that has begun
 * @throws LoginsIncomplete when an administrator has to make the roles
 */
export async function migrate(ownerUrl: string, kind: LogKind, options: LoginOptions = {}): Promise<void> {
  const database = openDatabase(ownerUrl, { connections: 2, name: 'public-picks migrate' });
  try {
    await migrateSchema(database, kind);
    await applyLogins(database, options);
  } finally {
    await database.destroy();
  }
}

/** Attempts to get the locks that migrations need, and milliseconds between them: two minutes in all. */
const attempts = 100;
const pauseMs = 250;

const lockNotAvailable = '55P03';

/**
 * The first migration makes a role that a later one has done away with. Another database's migration may drop it in between (42704,
 * undefined_object): then it is made again.
 */
async function migrateSchema(database: Database, kind: LogKind): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.migrate.latest({ migrationSource: impatient(migrationsFor(kind)) });
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === lockNotAvailable ? attempt === attempts : code !== '42704' || attempt >= 3) throw error;
      if (code === lockNotAvailable) await pause(pauseMs);
    }
  }
}

/**
 * Migrations that wait a second for each lock. A statement that changes a table waits for those that use it, and everybody else waits behind
 * it: it has to give up and be tried again. docs/decisions/0051-postgresql-as-a-group.md
 */
function impatient<Each>(source: Knex.MigrationSource<Each>): Knex.MigrationSource<Each> {
  return {
    ...source,
    async getMigration(each) {
      const migration = await source.getMigration(each);
      return {
        ...migration,
        async up(knex) {
          await knex.raw(`set local lock_timeout = '1s'`);
          await migration.up(knex);
        },
      };
    },
  };
}
