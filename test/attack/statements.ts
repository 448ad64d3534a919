import { rightsOf, tableRights } from '../../migrations/grants.ts';
import { logins, type Rights, tables } from '../../migrations/rights.ts';
import type { Attack } from './attacker.ts';

/** Tables that no process may change, whatever it may add. */
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
  'game_joins',
  'data_indexes',
  'log_kind',
];

/** Every table, verb, and login: undeclared statements must be refused, and stored rows of the ledger must stay. */
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
        if (hasRight(tableRights((tables as Record<string, Rights>)[table] ?? {}), login, verb)) continue;
        yield { kind: `${verb} without a right`, login, statements: [statement] };
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

/** Statements that try to escape the rights of a login, each tried with every login. */
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
    };
  for (const login of logins)
    for (const other of logins)
      if (other !== login)
        yield { kind: 'turning into another login', login, statements: [`set role test_${other}`] };
  // The attacker's own search path takes precedence over the triggers'.
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

/** Roles belong to the whole server, which other tests use: attacks on a role use one created for them. */
export const otherLogin = [
  `create role forged_${process.pid} login`,
  `update login_roles set role = 'forged_${process.pid}' where login = 'web'`,
];

/** Statements that give a login more power. */
export const powers = [
  'superuser',
  'bypassrls',
  'createrole',
  'createdb',
  'replication',
  'set session_replication_role = replica',
  'set synchronous_commit = off',
  'set search_path = pg_temp, public',
  `set lock_timeout = '1ms'`,
  'set default_transaction_read_only = on',
]
  .map((power) => `alter role forged_${process.pid} ${power}`)
  .concat(`grant test_sealing to forged_${process.pid}`);

/** Another role of the server that is no login of the service. */
const stranger = `stranger_${process.pid}`;
const withStranger = `create role ${stranger} login`;

/** Changes of the server's catalog by its owner, and the name that the audit reports. */
export function catalogAttacks(): { statements: string[]; finding: string }[] {
  const attacks: [finding: string, ...statements: string[]][] = [
    [`role ${stranger}`, withStranger, `alter role ${stranger} superuser`],
    [`role ${stranger}`, withStranger, `alter role ${stranger} bypassrls`],
    [`member ${stranger} of pg_write_all_data`, withStranger, `grant pg_write_all_data to ${stranger}`],
    [
      `member ${stranger} of pg_execute_server_program`,
      withStranger,
      `grant pg_execute_server_program to ${stranger}`,
    ],
    [`member ${stranger} of sealing`, withStranger, `grant test_sealing to ${stranger}`],
    [`rights of ${stranger} on table picks`, withStranger, `grant insert on picks to ${stranger}`],
    [
      `rights of ${stranger} on function pg_catalog.pg_read_file(text)`,
      withStranger,
      `grant execute on function pg_read_file(text) to ${stranger}`,
    ],
    [
      `rights of ${stranger} on table pg_catalog.pg_authid`,
      withStranger,
      `grant select on pg_authid to ${stranger}`,
    ],
    ['rights of everyone on table picks', 'grant update on picks to public'],
    ['rights of web on table settlements', 'grant insert on settlements to test_web'],
    ['rights of boards on column picks.stake_e4', 'grant update (stake_e4) on picks to test_boards'],
    ['rights of web on table picks', 'revoke select on picks from test_web'],
    ['rights of web on schema public', 'grant create on schema public to test_web'],
    [
      'rights of everyone on database',
      "do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$",
    ],
    [
      'rights of web on parameter session_replication_role',
      'grant set on parameter session_replication_role to test_web',
    ],
    ['rights of web on sequence picks_id_seq', 'grant update on sequence picks_id_seq to test_web'],
    [
      'default privileges of owner for r in public',
      'alter default privileges in schema public grant insert on tables to public',
    ],
    [
      'setting synchronous_commit of every role in this database',
      "do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$",
    ],
    [
      'setting search_path of every role in this database',
      "do $$ begin execute format('alter database %I set search_path = pg_temp, public', current_database()); end $$",
    ],
    ['setting lock_timeout of owner', `alter role current_user set lock_timeout = '1ms'`],
    ['table shadow', 'create table shadow (id int)'],
    ['table heir', 'create table heir () inherits (picks)'],
    ['schema hidden', 'create schema hidden'],
    ['table hidden.picks', 'create schema hidden create table picks (id int)'],
    ['view peek', 'create view peek as select * from picks'],
    ['materialized view peek', 'create materialized view peek as select * from picks'],
    ['type mood', `create type mood as enum ('sad')`],
    ['sequence spare', 'create sequence spare'],
    ['sequence picks_id_seq', 'alter sequence picks_id_seq increment by -1'],
    ['sequence picks_id_seq', 'alter sequence picks_id_seq maxvalue 1000000'],
    ['column picks.posted_at', 'alter table picks alter column posted_at set default now()'],
    ['column picks.source', 'alter table picks alter column source drop not null'],
    ['column picks.forged', 'alter table picks add column forged int'],
    [
      'constraint settlements.settlements_pkey',
      'alter table settlements drop constraint settlements_pkey cascade',
    ],
    ['constraint closings.closings_pick_id_fkey', 'alter table closings disable trigger all'],
    ['index ledger_entries_by_capper of ledger_entries', 'drop index ledger_entries_by_capper'],
    ['table picks', 'alter table picks enable row level security'],
    ['table closings', 'alter table closings set unlogged'],
    ['policy few of picks', 'create policy few on picks using (false)'],
    ['rule quiet of settlements', 'create rule quiet as on insert to settlements do instead nothing'],
    [
      'trigger sly of picks',
      'create trigger sly before insert on picks for each row execute function refuse_change()',
    ],
    ['trigger picks_posted of picks', 'drop trigger picks_posted on picks'],
    ['function sly()', 'create function sly() returns void language sql as $$ $$'],
    [
      'function pg_catalog.sly()',
      'create function pg_catalog.sly() returns int language sql as $$ select 1 $$',
    ],
    [
      'system functions',
      `create or replace function pg_catalog.transaction_timestamp() returns timestamptz language sql stable as $$ select timestamptz '2020-01-01' $$`,
    ],
    ['system functions', 'alter function pg_catalog.clock_timestamp() set search_path = pg_temp'],
    ['function refuse_change()', 'alter function refuse_change() security definer'],
    ['function picks_posted()', 'alter function picks_posted() reset all'],
    ['function refuse_change()', 'alter function refuse_change() owner to test_web'],
    ['aggregate sly(integer)', 'create aggregate sly(int) (sfunc = int4pl, stype = int)'],
    [
      'operator public.=(pg_catalog.text,pg_catalog.text)',
      'create operator public.= (leftarg = text, rightarg = text, function = textne)',
    ],
    ['cast (bigint AS pg_catalog.jsonb)', 'create cast (bigint as jsonb) with inout as implicit'],
    [
      'event trigger sly',
      'create function sly() returns event_trigger language plpgsql as $$ begin end $$',
      'create event trigger sly on ddl_command_end execute function sly()',
    ],
    ['publication sly', 'create publication sly for table picks'],
    ['extension pg_trgm', 'drop extension pg_trgm cascade'],
    ['extension dict_int', 'create extension dict_int'],
    ['foreign-data wrapper sly', 'create foreign data wrapper sly'],
    ['server sly', 'create foreign data wrapper sly', 'create server sly foreign data wrapper sly'],
    ['row nba of sports', `delete from sports where key = 'nba'`],
    ['row soccer of sports', `update sports set moneyline_ways = 2 where key = 'soccer'`],
    ['row web of login_roles', `delete from login_roles where login = 'web'`],
    ['row webhooks of reader_cursors', `delete from reader_cursors where reader = 'webhooks'`],
  ];
  return attacks.map(([finding, ...statements]) => ({ finding, statements }));
}

/** Changes of the schema by the owner, who may do anything. The audit finds each one while it lasts. */
export function* ownerAttacks(triggers: readonly { name: string; table: string }[]): Generator<Attack> {
  for (const { statements } of catalogAttacks())
    yield { kind: "the owner's catalog", login: 'owner', statements };
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
