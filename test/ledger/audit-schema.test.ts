import { expect } from 'chai';
import { auditRights } from '../../src/ledger/audit/roles.ts';
import { auditSchema } from '../../src/ledger/audit/schema.ts';
import { auditWorkLists } from '../../src/ledger/audit/work-lists.ts';
import { otherLogin, powers } from '../attack/statements.ts';
import { withDatabase } from '../support/database.ts';

describe('an audit of the schema', () => {
  const stores = withDatabase();

  /** What is found after statements of the owner, which are undone. */
  async function findingsAfter(...statements: string[]): Promise<string[]> {
    const transaction = await stores.owner.transaction();
    const found: string[] = [];
    try {
      for (const statement of statements) await transaction.raw(statement);
      for await (const { message } of auditSchema(transaction)) found.push(message);
      for await (const { message } of auditRights(transaction)) found.push(message);
      for await (const { message } of auditWorkLists(transaction)) found.push(message);
    } finally {
      await transaction.rollback();
    }
    return found;
  }

  async function rowsOf<T>(query: string): Promise<T[]> {
    return (await stores.owner.raw(query)).rows;
  }

  it('finds nothing in a migrated database', async () => {
    expect(await findingsAfter()).to.deep.equal([]);
  });

  it('names each trigger that is disabled, or enabled for some sessions only', async () => {
    const triggers = await rowsOf<{ name: string; table: string }>(
      `select tgname as name, tgrelid::regclass::text as table from pg_trigger join pg_class c on c.oid = tgrelid
       where not tgisinternal and relnamespace = 'public'::regnamespace`,
    );
    expect(triggers.length).to.be.greaterThan(20);
    const found = await findingsAfter(
      ...triggers.map(
        ({ name, table }, index) =>
          `alter table ${table} ${index % 2 ? 'disable' : 'enable replica'} trigger ${name}`,
      ),
    );
    expect(found).to.have.length(triggers.length);
    for (const { name, table } of triggers)
      expect(found.join('\n')).to.include(
        `schema, trigger ${name} on ${table}: migrations make it otherwise`,
      );
  });

  it('names each function whose body was replaced', async () => {
    const functions = await rowsOf<{ definition: string; name: string }>(
      `select pg_get_functiondef(oid) as definition, oid::regprocedure::text as name from pg_proc
       where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype`,
    );
    expect(functions.length).to.be.greaterThan(8);
    const found = await findingsAfter(
      ...functions.map(({ definition }) =>
        definition
          .replace(/AS \$function\$[\s\S]*\$function\$/, 'AS $function$ begin return null; end $function$')
          .replaceAll('?', '\\?'),
      ),
    );
    for (const { name } of functions)
      expect(found.join('\n')).to.include(`schema, function ${name}: migrations`);
  });

  it('names each table with a constraint that is missing', async () => {
    const tables = await rowsOf<{ table: string; name: string }>(
      `select distinct on (conrelid) conrelid::regclass::text as table, conname as name from pg_constraint
       where contype = 'c' and conislocal and conrelid <> 0 and connamespace = 'public'::regnamespace order by conrelid, random()`,
    );
    expect(tables.length).to.be.greaterThan(20);
    const found = await findingsAfter(
      ...tables.map(({ table, name }) => `alter table ${table} drop constraint "${name}"`),
    );
    for (const { table } of tables)
      expect(found.join('\n')).to.include(`schema, table ${table}: migrations make it otherwise`);
  });

  it('names each type whose bound is missing', async () => {
    const types = await rowsOf<{ type: string; name: string }>(
      `select contypid::regtype::text as type, conname as name from pg_constraint
       where contypid <> 0 and connamespace = 'public'::regnamespace`,
    );
    expect(types.length).to.be.greaterThan(10);
    const found = await findingsAfter(
      ...types.map(({ type, name }) => `alter domain ${type} drop constraint "${name}"`),
    );
    for (const { type } of types)
      expect(found.join('\n')).to.include(`schema, domain ${type}: migrations make it otherwise`);
  });

  for (const power of powers)
    it(`names a login that is more: ${power.replaceAll(/_\d+/g, '')}`, async () => {
      const found = await findingsAfter(...otherLogin, power);
      expect(found.join('\n')).to.match(
        /rights, role forged_\d+: (it is more than a login|it is a member of|its sessions are set to)/,
      );
    });

  const others: [statement: string, finding: RegExp][] = [
    [
      'grant update on picks to public',
      /rights, table public.picks: PUBLIC has update, which is not declared/,
    ],
    [
      'grant insert on settlements to test_web',
      /rights, table public.settlements: test_web has insert, which is not declared/,
    ],
    [
      'grant update (stake_e4) on picks to test_boards',
      /rights, table public.picks: test_boards has update of column stake_e4/,
    ],
    [
      'revoke select on picks from test_web',
      /rights, table public.picks: test_web has no select, which is declared/,
    ],
    [
      'alter table closings disable trigger all',
      /schema, trigger picks_closed on closings: migrations make it otherwise/,
    ],
    ['alter table closings disable trigger all', /schema, table closings: migrations make it otherwise/],
    ['create table shadow (id int)', /schema, table shadow: no migration makes it/],
    ['create schema hidden create table picks (id int)', /schema, table hidden.picks: no migration makes it/],
    ['create schema log_1 create table picks (id int)', /schema, table log_1.picks: no migration makes it/],
    [
      'create schema log_1 create view checkpoints as select 1 as size',
      /schema, view log_1.checkpoints: no migration makes it/,
    ],
    ['create view peek as select * from picks', /schema, view peek: no migration makes it/],
    [
      'create rule quiet as on insert to settlements do instead nothing',
      /schema, rule quiet on settlements: no migration/,
    ],
    [
      'create function sly() returns void language sql as $$ $$',
      /schema, function sly\(\): no migration makes it/,
    ],
    [
      'create trigger sly before insert on picks for each row execute function refuse_change()',
      /schema, trigger sly on picks: no migration/,
    ],
    [
      'alter table picks alter column posted_at set default now()',
      /schema, table picks: migrations make it otherwise/,
    ],
    [
      'alter table picks alter column source drop not null',
      /schema, table picks: migrations make it otherwise/,
    ],
    ['alter table picks enable row level security', /schema, table picks: migrations make it otherwise/],
    ['create policy few on picks using (false)', /schema, policy few on picks: no migration makes it/],
    ['drop index ledger_entries_by_capper', /schema, index ledger_entries_by_capper: it is missing/],
    [
      'alter function refuse_change() security definer',
      /schema, function refuse_change\(\): migrations make it otherwise/,
    ],
    [
      `insert into unsealed_events (kind, subject_id) values ('closed', 999)`,
      /unsealed_events, id \d+: the closed event of 999 is not stored/,
    ],
  ];

  for (const [statement, finding] of others)
    it(`names what is otherwise after ${statement}`, async () => {
      expect((await findingsAfter(statement)).join('\n')).to.match(finding);
    });
});
