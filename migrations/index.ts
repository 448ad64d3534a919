import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Knex } from 'knex';

const folder = new URL('./sql/', import.meta.url);

/** The areas of the schema, in the order of their references. */
const areas = ['world', 'authors', 'picks', 'log', 'work', 'projections', 'webhooks', 'sources', 'service'];

const definitions = ['types.sql', ...areas.map((area) => `tables/${area}.sql`)];

/**
 * The name of the schema, a hash of its types and tables. Until 1.0 they are edited in place, so a database with another name cannot be
 * upgraded. Functions are not included, because each `migrate` replaces them.
 */
export const schemaName = `baseline_${createHash('sha256').update(definitions.map(read).join('')).digest('hex').slice(0, 12)}`;

/** Returns the migrations: one baseline. @param kind kind of a new log: `live`, `replay`, or `demo` */
export function migrationsFor(kind: string): Knex.MigrationSource<string> {
  return {
    getMigrations: () => Promise.resolve([schemaName]),
    getMigrationName: (name) => name,
    getMigration: () => Promise.resolve({ up: (knex) => createSchema(knex, kind), down }),
  };
}

/** Creates or replaces every function. Idempotent. */
export async function applyFunctions(knex: Knex): Promise<void> {
  for (const file of readdirSync(new URL('functions/', folder)).sort())
    await run(knex, read(`functions/${file}`));
}

async function createSchema(knex: Knex, kind: string): Promise<void> {
  const [types, ...tables] = definitions.map(read);
  await run(knex, types!);
  await applyFunctions(knex);
  for (const sql of tables) await run(knex, sql);
  // Makes triggers also fire under replication and session_replication_role.
  await run(
    knex,
    `do $$ declare each record; begin
       for each in select tgrelid::regclass as relation, tgname from pg_trigger join pg_class c on c.oid = tgrelid
         where not tgisinternal and c.relnamespace = 'public'::regnamespace loop
         execute format('alter table %s enable always trigger %I', each.relation, each.tgname);
       end loop;
     end $$`,
  );
  await knex('log_kind').insert({ id: 1, kind });
  const notice = noticeOf[kind];
  if (notice !== undefined) await knex('notices').insert({ at: new Date(), topic: 'log-kind', text: notice });
}

/** The first entry of a replay or demo. */
const noticeOf: Readonly<Record<string, string>> = {
  demo: 'This log is a demonstration: its cappers, games, and picks are made up.',
  replay: 'This log is a replay: its processes ran on a set clock, so its times prove nothing.',
};

function down(): Promise<void> {
  return Promise.reject(new Error('a ledger cannot be migrated down: delete its database instead'));
}

function read(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

/** Runs statements with question marks or colons, which Knex would take for bindings. */
async function run(knex: Knex, sql: string): Promise<void> {
  await knex.raw(sql.replaceAll('?', '\\?'));
}
