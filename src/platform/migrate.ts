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

/**
 * The first migration makes a role that a later one has done away with. Another database's migration may drop it in between (42704,
 * undefined_object): then it is made again.
 */
async function migrateSchema(database: Database, kind: LogKind): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.migrate.latest({ migrationSource: migrationsFor(kind) });
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '42704' || attempt === 3) throw error;
    }
  }
}
