import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { expect } from 'chai';
import { withDatabaseBefore } from '../support/older-database.ts';
import { until } from '../support/until.ts';

describe('migrating while the service runs', () => {
  const older = withDatabaseBefore('20260307000000_home_known');

  it('waits a second for a table that is in use, lets others pass, and is tried again', async () => {
    const reading = await older.owner.transaction();
    await reading.raw('select from games');
    const migrated = older.migrate();
    const waits = async () => {
      const { rows } = await older.owner.raw(
        `select from pg_locks l join pg_class c on c.oid = l.relation where c.relname = 'games' and not granted`,
      );
      return rows.length > 0;
    };
    await until(waits, 20_000);
    await until(async () => !(await waits()), 5000);
    await older.owner.raw(`set lock_timeout = '10s'`);
    await older.owner('games').count();
    await reading.rollback();
    await migrated;
    expect(await older.owner('games').columnInfo()).to.have.property('home_known');
  });
});

/**
 * Statements that rewrite or scan a table under an exclusive lock. Tables that the same migration creates are exempt.
 */
const blocking: Record<string, RegExp> = {
  'alter column ... type': /alter table ([\w.]+)[^;]*alter (?:column )?\S+ (?:set data )?type/gi,
  'add column ... default <volatile>':
    /alter table ([\w.]+)[^;]*add column[^;,]*default[^;,]*(?:random|clock_timestamp|nextval|gen_random)/gi,
  'add column ... generated': /alter table ([\w.]+)[^;]*add column[^;,]*generated/gi,
  'set not null': /alter table ([\w.]+)[^;]*set not null/gi,
  'add constraint without not valid':
    /alter table ([\w.]+)[^;]*add constraint(?![^;]*(?:not valid|using index))[^;]*(?:check|foreign key|unique|primary key|exclude)/gi,
  'create index without concurrently': /create (?:unique )?index\b(?! concurrently)[^;]*?\son ([\w.]+)/gi,
  'vacuum full, cluster': /(?:vacuum full|cluster) ([\w.]+)/gi,
};

/** The last migration before the rule of docs/decisions/0051-postgresql-as-a-group.md. */
const before = '20260313000000';

/** Why a migration may do it all the same: the table is small, or the changelog says that the service has to stop. */
const excused: Record<string, string> = {};

describe('migrations from now on', () => {
  it('rewrite and scan no table under an exclusive lock', () => {
    const folder = resolve(import.meta.dirname, '..', '..', 'migrations');
    const found = globSync('[0-9]*.ts', { cwd: folder })
      .filter((file) => file.slice(0, before.length) > before)
      .flatMap((file) =>
        blockingIn(readFileSync(resolve(folder, file), 'utf8')).map(
          (what) => `${basename(file, '.ts')}: ${what}`,
        ),
      )
      .filter((what) => excused[what] === undefined);
    expect(found).to.deep.equal([]);
  });

  it('are read right', () => {
    expect(
      blockingIn(`
        create table fresh (id int);
        create index on fresh (id);
        alter table fresh alter id type bigint;
        create index concurrently games_name on games (name);
        alter table games add column seen boolean not null default true;
        alter table games add constraint named check (name <> '') not valid;
        alter table picks alter column stake type numeric;
        create unique index on lines (id);
        alter table games alter column seen set not null;
        alter table picks add constraint p check (stake > 0);
        alter table picks add column token uuid default gen_random_uuid()`).sort(),
    ).to.deep.equal([
      'add column ... default <volatile> on picks',
      'add constraint without not valid on picks',
      'alter column ... type on picks',
      'create index without concurrently on lines',
      'set not null on games',
    ]);
  });
});

function blockingIn(source: string): string[] {
  const made = new Set(
    [...source.matchAll(/create table (?:if not exists )?([\w.]+)/gi)].map(([, name]) => name),
  );
  return Object.entries(blocking).flatMap(([what, pattern]) =>
    [...source.matchAll(pattern)]
      .filter(([, name]) => !made.has(name))
      .map(([, name]) => `${what} on ${name}`),
  );
}
