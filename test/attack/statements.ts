import { rightsOf, tableRights } from '../../migrations/grants.ts';
import { logins, type Rights, tables } from '../../migrations/rights.ts';
import type { Attack } from './attacker.ts';

/** What no process may change, whatever it may add. */
const ledger = [
  'picks',
  'closings',
  'settlements',
  'notices',
  'ledger_entries',
  'ledger_nodes',
  'checkpoints',
  'ledger_origin',
  'signing_keys',
  'witness_keys',
  'start_moves',
  'log_kind',
];

/** Every table, every verb, every login: what is not declared must be refused, and what is stored in the ledger stays. */
export function* grid(columns: ReadonlyMap<string, readonly string[]>): Generator<Attack> {
  for (const [table, names] of columns) {
    const first = names.find((name) => name !== 'id') ?? names[0];
    const verbs: Record<string, string> = {
      select: `select count(*) from (select * from ${table} limit 1) t`,
      insert: `insert into ${table} overriding system value select * from ${table} where false`,
      update: `update ${table} set "${first}" = "${first}" where false`,
      delete: `delete from ${table} where false`,
      truncate: `truncate ${table}`,
    };
    for (const login of logins)
      for (const [verb, statement] of Object.entries(verbs)) {
        const declared = hasRight(tableRights((tables as Record<string, Rights>)[table] ?? {}), login, verb);
        yield {
          kind: `${verb} without a right`,
          login,
          statements: [statement],
          ...(declared && { harmless: `declared: ${verb} of no row` }),
        };
      }
    if (!ledger.includes(table)) continue;
    for (const verb of ['update', 'delete', 'truncate'] as const)
      for (const prelude of [[], ['set local session_replication_role = replica']])
        yield { kind: `${verb} as the owner`, login: 'owner', statements: [...prelude, verbs[verb]!] };
  }
}

function hasRight(rights: Rights, login: (typeof logins)[number], verb: string): boolean {
  return rightsOf(rights[login] ?? '').some(({ right }) => right === verb);
}

/** Ways out of a login. Each is tried with every one. */
const escapes: readonly string[] = [
  'set role postgres',
  'set session authorization postgres',
  'set local session_replication_role = replica',
  'alter table picks disable trigger all',
  'alter table settlements disable trigger settlements_append_only',
  'alter table closings drop constraint closings_check',
  'alter table picks add column forged int',
  'drop table settlements cascade',
  'drop trigger picks_posted on picks',
  'drop function refuse_change() cascade',
  'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
  'create function public.forged() returns int language sql as $$ select 1 $$',
  'create function pg_temp.forged() returns int language sql as $$ select 1 $$',
  'create temp table unsealed_events (kind text, subject_id bigint)',
  'create temp table pending_picks (pick_id bigint)',
  'create temp view picks as select 1 as id',
  'create schema forged',
  'create table public.forged (id int)',
  'create table forged as select * from picks',
  'create rule forged as on insert to picks do instead nothing',
  'create policy forged on picks using (false)',
  'create trigger forged before insert on picks for each row execute function refuse_change()',
  'create operator public.= (leftarg = text, rightarg = text, function = texteq)',
  'create extension dblink',
  'create role forged superuser',
  'create database forged',
  'grant all on picks to public',
  'grant insert on settlements to current_user',
  'alter role current_user superuser',
  'alter role current_user createrole',
  'alter system set session_preload_libraries = forged',
  'alter database template1 set session_replication_role = replica',
  'reassign owned by postgres to current_user',
  'comment on table picks is null',
  "copy picks to program 'true'",
  "copy picks from '/etc/passwd'",
  "select pg_read_file('/etc/passwd')",
  "select lo_import('/etc/passwd')",
  'select pg_reload_conf()',
  'select rolpassword from pg_authid',
  "select setval('picks_id_seq', 1)",
  "select nextval('notices_id_seq')",
  'lock table picks in access exclusive mode',
  'lock table ledger_entries in share mode',
  'refresh materialized view forged',
  'cluster picks',
  'reindex table picks',
  "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres' limit 1",
  'select pg_switch_wal()',
  "select pg_create_logical_replication_slot('forged', 'test_decoding')",
  'create publication forged for all tables',
  'create event trigger forged on ddl_command_start execute function refuse_change()',
  'create server forged foreign data wrapper forged',
  "security label on table picks is 'forged'",
  'import foreign schema public from server forged into public',
];

export function* escapeAttacks(): Generator<Attack> {
  for (const login of logins)
    for (const statement of escapes) yield { kind: 'escape from a login', login, statements: [statement] };
  for (const login of logins)
    yield {
      kind: 'escape from a login',
      login,
      statements: ['alter default privileges grant all on tables to public'],
      harmless: 'of tables that the login itself makes, and it can make none',
    };
  for (const login of logins)
    for (const other of logins)
      if (other !== login)
        yield { kind: 'turning into another login', login, statements: [`set role test_${other}`] };
  // A search path of the attacker's own, in front of what triggers do.
  for (const login of logins)
    for (const path of ['pg_temp, public', 'forged, public'])
      yield {
        kind: 'search_path',
        login,
        statements: [
          `set local search_path = ${path}`,
          'create table unsealed_events (kind text, subject_id bigint)',
        ],
      };
}

/** Roles belong to the whole server, on which other tests work: what is done to one is done to a role that is made for it. */
export const otherLogin = [
  `create role forged_${process.pid} login`,
  `update login_roles set role = 'forged_${process.pid}' where login = 'web'`,
];

/** What makes more of a login. */
export const powers = [
  'superuser',
  'bypassrls',
  'createrole',
  'createdb',
  'replication',
  'set session_replication_role = replica',
]
  .map((power) => `alter role forged_${process.pid} ${power}`)
  .concat(`grant test_sealing to forged_${process.pid}`);

/** What the owner does to the schema, who may do anything: it is found as long as it stands. */
export function* ownerAttacks(triggers: readonly { name: string; table: string }[]): Generator<Attack> {
  const statements = [
    'grant update on picks to public',
    'grant all on settlements to test_web',
    'grant update (odds_american) on picks to test_boards',
    'grant insert on closings to test_web',
    'revoke select on picks from test_web',
    'grant set on parameter session_replication_role to test_web',
    'grant create on schema public to test_web',
    'create table public.unsealed_events2 (id int)',
    'create rule quiet as on insert to settlements do instead nothing',
    'create function sly() returns trigger language plpgsql as $$ begin return null; end $$',
    'alter table picks enable row level security',
    'alter table closings disable trigger all',
    'alter table settlements drop constraint settlements_pkey cascade',
    'drop index ledger_entries_by_capper',
    'alter table picks alter column posted_at set default now()',
    'alter function refuse_change() security definer',
    'alter function picks_posted() reset all',
    'alter function picks_posted() set search_path = pg_temp, public',
  ];
  for (const statement of statements)
    yield { kind: "the owner's schema", login: 'owner', statements: [statement] };
  for (const statement of powers)
    yield { kind: "the owner's roles", login: 'owner', statements: [...otherLogin, statement] };
  for (const { name, table } of triggers)
    for (const how of ['disable', 'enable replica'])
      yield {
        kind: "the owner's triggers",
        login: 'owner',
        statements: [`alter table ${table} ${how} trigger ${name}`],
      };
}
