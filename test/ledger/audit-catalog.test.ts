import { expect } from 'chai';
import { expectedCatalog, expectedOfServer, readCatalog } from '../../migrations/catalog.ts';
import { unexpected } from '../../src/ledger/audit/audit.ts';
import { auditCatalog } from '../../src/ledger/audit/catalog.ts';
import { catalogAttacks, otherLogin, powers } from '../attack/statements.ts';
import { expectedOfTests, withDatabase } from '../support/database.ts';

describe('an audit of the catalog', () => {
  const stores = withDatabase();

  /** Returns the findings after statements of the owner, then reverts them. */
  async function findingsAfter(statements: readonly string[], expected = expectedOfTests): Promise<string[]> {
    const transaction = await stores.owner.transaction();
    const found: string[] = [];
    try {
      for (const statement of statements) await transaction.raw(statement.replaceAll('?', '\\?'));
      for await (const { message } of unexpected(auditCatalog(transaction), { expected }))
        found.push(message);
    } finally {
      await transaction.rollback();
    }
    return found;
  }

  async function rowsOf<T>(query: string): Promise<T[]> {
    return (await stores.owner.raw(query)).rows;
  }

  it("finds nothing in a migrated database, even under the auditor's login", async () => {
    expect(await findingsAfter([])).to.deep.equal([]);
    expect(await findingsAfter(['set local role test_auditor'])).to.deep.equal([]);
  });

  it('knows the functions that this version of PostgreSQL includes, and no others', async () => {
    const [{ version }] = (await rowsOf<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )) as [{ version: number }];
    const catalog = await readCatalog(stores.owner);
    for (const [name, hash] of expectedOfServer(version)!) expect(catalog.get(name), name).to.equal(hash);
    expect(expectedOfServer(990_000)).to.equal(undefined);
  });

  it('reports each trigger that is disabled or limited to some sessions', async () => {
    const triggers = await rowsOf<{ name: string; table: string }>(
      `select tgname as name, tgrelid::regclass::text as table from pg_trigger join pg_class c on c.oid = tgrelid
       where not tgisinternal and relnamespace = 'public'::regnamespace`,
    );
    expect(triggers.length).to.be.greaterThan(20);
    const found = await findingsAfter(
      triggers.map(
        ({ name, table }, index) =>
          `alter table ${table} ${index % 2 ? 'disable' : 'enable replica'} trigger ${name}`,
      ),
    );
    expect(found).to.have.length(triggers.length);
    for (const { name, table } of triggers)
      expect(found.join('\n')).to.include(`catalog, trigger ${name} of ${table}: it is \``);
  });

  it('reports each function whose body was replaced', async () => {
    const functions = await rowsOf<{ definition: string; name: string }>(
      `select pg_get_functiondef(oid) as definition, oid::regprocedure::text as name from pg_proc
       where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype`,
    );
    expect(functions.length).to.be.greaterThan(8);
    const found = await findingsAfter(
      functions.map(({ definition }) =>
        definition.replace(
          /AS \$function\$[\s\S]*\$function\$/,
          'AS $function$ begin return null; end $function$',
        ),
      ),
    );
    for (const { name } of functions)
      expect(found.join('\n')).to.match(
        new RegExp(`catalog, function ${RegExp.escape(name)}: it is .*; run \`migrate\``),
      );
  });

  it('reports every missing column, constraint, sequence, and setting', async () => {
    const wanted = [...expectedCatalog().keys()].filter((name) =>
      /^constraint \w+\.\w+_check\d*$/.test(name),
    );
    expect(wanted.length).to.be.greaterThan(80);
    const found = await findingsAfter([
      ...wanted.map((name) => {
        const [, of, constraint] = /^constraint (\w+)\.(\w+)$/.exec(name)!;
        return `do $$ begin
          if to_regclass('public.${of}') is not null then
            if exists (select from pg_constraint where conrelid = 'public.${of}'::regclass and conname = '${constraint}' and conislocal) then
              alter table ${of} drop constraint ${constraint};
            end if;
          else alter domain ${of} drop constraint ${constraint}; end if;
        end $$`;
      }),
      'alter table picks drop column book',
      'alter role test_web reset lock_timeout',
      'alter table notices alter id drop identity',
    ]);
    for (const name of [
      ...wanted,
      'column picks.book',
      'setting lock_timeout of web',
      'sequence notices_id_seq',
    ])
      expect(found.join('\n')).to.include(`catalog, ${name}: it is missing; `);
  });

  it('ignores indexes without a constraint, and additional sports', async () => {
    expect(
      await findingsAfter([
        'create index mine on picks (posted_at)',
        'drop index games_by_start',
        `insert into sports (key, label, moneyline_ways, event_minutes, position) values ('curling', 'Curling', 2, 120, 99)`,
      ]),
    ).to.deep.equal([]);
  });

  it('ignores the tables that hold an earlier log, and nothing else in that schema', async () => {
    expect(
      await findingsAfter(['create schema log_1', 'create table log_1.checkpoints as table checkpoints']),
    ).to.deep.equal([]);
    const found = await findingsAfter([
      'create schema log_1',
      'create table log_1.picks as table picks',
      'create view log_1.checkpoints as select 1 as size',
    ]);
    expect(found.join('\n'))
      .to.include('catalog, table log_1.picks: no migration creates it')
      .and.to.include('catalog, view log_1.checkpoints: no migration creates it');
  });

  it('turns the findings listed in AUDIT_EXPECTED into remarks', async () => {
    const transaction = await stores.owner.transaction();
    const remarks: string[] = [];
    try {
      await transaction.raw(otherLogin.join(';'));
      await transaction.raw(`alter role forged_${process.pid} superuser`);
      const expected = [...expectedOfTests, 'rights of *', 'setting *', 'role *', 'member *'];
      const onRemark = (remark: string) => remarks.push(remark);
      const found = [];
      for await (const { message } of unexpected(auditCatalog(transaction), { expected, onRemark }))
        found.push(message);
      expect(found).to.deep.equal([]);
    } finally {
      await transaction.rollback();
    }
    expect(remarks.join('\n')).to.match(/^catalog, role web: it is `superuser`; run `migrate`$/m);
  });

  for (const power of powers)
    it(`reports a login's additional power: ${power.replaceAll(/_\d+/g, '')}`, async () => {
      const found = await findingsAfter([...otherLogin, power]);
      const setting = / set (\w+) = /.exec(power)?.[1];
      const name =
        setting === undefined
          ? '(role web: it is `|member web of sealing: no migration)'
          : `setting ${setting} of web: (it is \`|no migration)`;
      expect(found.join('\n')).to.match(new RegExp(`catalog, ${name}`));
    });

  for (const { statements, finding } of catalogAttacks())
    it(`reports the difference after ${statements.at(-1)!.replaceAll(/_\d+/g, '')}`, async () => {
      expect((await findingsAfter(statements)).join('\n')).to.include(`catalog, ${finding}: `);
    });
});
