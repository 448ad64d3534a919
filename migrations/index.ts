import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Knex } from 'knex';
import type { LogKind } from '../src/rules/vocabulary.ts';

const folder = new URL('./sql/', import.meta.url);

/** The areas of the schema, in the order of their references. */
const areas = ['world', 'authors', 'picks', 'log', 'work', 'projections', 'webhooks', 'sources', 'service'];

/** Types and tables of {@link firstSchema}. They are final: `sql/changes` holds what later versions change. */
export const definitions = ['types.sql', ...areas.map((area) => `tables/${area}.sql`)].map(read);

const firstSchema = '1.0.0';

const later = new URL('changes/', folder);

/** Migrations after the first: `sql/changes/<version>-<what>.sql`, in the order of their names. */
const changes = (existsSync(later) ? readdirSync(later) : [])
  .map((file) => basename(file, '.sql'))
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

/** The names of all migrations, in order. The last is the name of this version's schema. */
export const migrationNames: readonly string[] = [firstSchema, ...changes];

/** Returns the migrations. @param kind kind of a new log */
export function migrationsFor(kind: LogKind): Knex.MigrationSource<string> {
  return {
    getMigrations: () => Promise.resolve([...migrationNames]),
    getMigrationName: (name) => name,
    getMigration: (name) =>
      Promise.resolve({
        up: (knex) =>
          name === firstSchema ? createSchema(knex, kind) : run(knex, read(`changes/${name}.sql`)),
        down,
      }),
  };
}

/** Creates or replaces every function. Idempotent. */
export async function applyFunctions(knex: Knex): Promise<void> {
  for (const file of readdirSync(new URL('functions/', folder)).sort())
    await run(knex, read(`functions/${file}`));
}

/** Makes triggers also fire under replication and session_replication_role. Idempotent. */
export async function applyTriggers(knex: Knex): Promise<void> {
  await run(
    knex,
    `do $$ declare each record; begin
       for each in select tgrelid::regclass as relation, tgname from pg_trigger join pg_class c on c.oid = tgrelid
         where not tgisinternal and tgenabled <> 'A' and c.relnamespace = 'public'::regnamespace loop
         execute format('alter table %s enable always trigger %I', each.relation, each.tgname);
       end loop;
     end $$`,
  );
}

async function createSchema(knex: Knex, kind: LogKind): Promise<void> {
  const [types, ...tables] = definitions;
  await run(knex, types!);
  await applyFunctions(knex);
  for (const sql of tables) await run(knex, sql);
  await knex('log_kind').insert({ id: 1, kind });
  const notice = noticeOf[kind];
  if (notice !== undefined) await knex('notices').insert({ at: new Date(), topic: 'log-kind', text: notice });
}

/** The first entry of a replay or demo. */
const noticeOf: Readonly<Partial<Record<LogKind, string>>> = {
  demo: 'This log is a demonstration: its cappers, games, and picks are made up.',
  replay: 'This log is a replay: its processes ran on a set clock, so its times prove nothing.',
};

/** Returns the kind of the log that a notice names; undefined: none. */
export function kindNamedBy({ topic, text }: { topic: string; text: string }): LogKind | undefined {
  return (['demo', 'replay'] as const).find((kind) => topic === 'log-kind' && text === noticeOf[kind]);
}

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
