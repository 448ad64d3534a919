import { type Database, openDatabase } from '../src/platform/database.ts';
import { ExpectedError } from '../src/platform/expected-error.ts';
import type { LogKind } from '../src/rules/vocabulary.ts';
import { applyFunctions, applyTriggers, migrationNames, migrationsFor } from './index.ts';
import { applyLogins, type LoginOptions } from './logins.ts';

/** A sport beside those of the schema. */
interface AddedSport {
  key: string;
  label: string;
  moneylineWays: number;
  eventMinutes: number;
}

/**
 * Creates or upgrades the schema, and updates functions, triggers, roles, and rights to the declared state, under the owner's role. Idempotent,
 * and safe to run concurrently.
 * @param kind kind of a new log; ignored if the database has one
 * @param sports sports to add, unless they are there
 * @throws SchemaMismatch if a later version, or one before 1.0, created the database
 * @throws LoginsIncomplete if an administrator must create the roles
 */
export async function migrate(
  ownerUrl: string,
  kind: LogKind,
  options: LoginOptions = {},
  sports: readonly AddedSport[] = [],
): Promise<void> {
  const database = openDatabase(ownerUrl, { connections: 3, name: 'public-picks migrate' });
  try {
    await database.transaction(async (guard) => {
      // Concurrent sessions that create, replace, or grant the same object would fail instead of waiting.
      await guard.raw('select pg_advisory_xact_lock(?)', [migrationLock]);
      await refuseOtherSchema(database);
      await database.migrate.latest({ migrationSource: migrationsFor(kind) });
      await database.transaction(applyFunctions);
      await database.transaction(applyTriggers);
      await addSports(database, sports);
      await applyLogins(database, options);
    });
  } finally {
    await database.destroy();
  }
}

/** Adds sports, unless they are there. */
export async function addSports(owner: Database, sports: readonly AddedSport[]): Promise<void> {
  await owner.raw(
    `insert into sports (position, key, label, moneyline_ways, event_minutes)
     select (select max(position) from sports) + s.at, s.key, s.label, s.ways, s.minutes
     from rows from (json_to_recordset(?) as (key text, label text, "moneylineWays" int, "eventMinutes" int))
       with ordinality as s (key, label, ways, minutes, at)
     on conflict (key) do nothing`,
    [JSON.stringify(sports)],
  );
}

/** No other code takes this lock: see `locks.ts`. */
const migrationLock = 5200;

/** The database has the schema of a later version, or of one before 1.0. */
export class SchemaMismatch extends ExpectedError {
  override name = 'SchemaMismatch';
}

async function refuseOtherSchema(database: Database): Promise<void> {
  const { rows } = await database.raw(`select to_regclass('public.knex_migrations') is not null as exists`);
  if (!rows[0].exists) return;
  const names: string[] = await database('knex_migrations').pluck('name');
  if (names.some((name) => !migrationNames.includes(name)))
    throw new SchemaMismatch(
      'This database was made by a later version of Public Picks, or by one before 1.0. Run the version that made it, use an empty database, or delete the data folder of `npm start` (.data).',
    );
}
