import { expect } from 'chai';
import { withDatabase } from '../support/database.ts';

/** Values just beyond what JavaScript represents, by type. Missing types have none. */
const beyond: Readonly<Record<string, readonly string[]>> = {
  'double precision': ['NaN', 'Infinity', '-Infinity'],
  bigint: ['9007199254740992', '-9007199254740992'],
  'timestamp with time zone': ['infinity', '-infinity', '10000-01-01 00:00Z', '0001-12-31 00:00Z BC'],
  date: ['infinity', '-infinity', '10000-01-01', '0001-12-31 BC'],
};

/** Types without an exact JavaScript equivalent. */
const inexact = ['numeric', 'real', 'timestamp without time zone', 'interval', 'money'];

interface Column {
  table: string;
  column: string;
  type: string;
  base: string;
  checks: string;
}

describe('every number, id, and instant in the database', () => {
  const stores = withDatabase();

  async function columns(): Promise<Column[]> {
    const { rows } = await stores.owner.raw(
      `select c.oid::regclass::text as table, a.attname as column, format_type(a.atttypid, null) as type,
         format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as base,
         coalesce((select string_agg(pg_get_expr(k.conbin, k.conrelid), ' and ') from pg_constraint k
           where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]), 'true') as checks
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname !~ '^knex_'
         and a.attnum > 0 and not a.attisdropped
       order by 1, 2`,
    );
    return rows;
  }

  async function takes({ column, type, base, checks }: Column, value: string): Promise<boolean> {
    try {
      const { rows } = await stores.owner.raw(
        `select ${checks.replaceAll('?', '\\?')} as taken, v.* from (select ('${value}'::${type})::${base} as "${column}") v`,
      );
      return rows[0].taken;
    } catch {
      return false;
    }
  }

  it('has a bound that JavaScript represents exactly', async () => {
    const all = await columns();
    expect(all.length).to.be.greaterThan(300);
    const open = all
      .filter(({ base }) => inexact.includes(base))
      .map(({ table, column }) => `${table}.${column}`);
    for (const each of all)
      for (const value of beyond[each.base] ?? [])
        if (await takes(each, value)) open.push(`${each.table}.${each.column} takes ${value}`);
    expect(open).to.deep.equal([]);
  });
});
