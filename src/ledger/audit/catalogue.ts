import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Database } from '../../platform/database.ts';
import { logTables } from '../new-origin.ts';
import { Difference } from './difference.ts';

/**
 * What guards the ledger, as a freshly migrated database has it: a digest of each table, check, key, unique index, trigger and function, by
 * name. Made by `npm run docs`.
 */
const file = new URL('../../../migrations/catalogue.json', import.meta.url);

/** Every object of the schema with its definition, whether it is enabled included. Tables of migrations and extensions are left out. */
export async function readCatalogue(database: Database): Promise<Map<string, string>> {
  const { rows }: { rows: { name: string; definition: string }[] } = await database.raw(
    `with own as (
       select c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relname !~ '^knex_'
         and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
     ), objects as (
       select case relkind when 'v' then 'view ' when 'm' then 'view ' when 'f' then 'foreign table ' else 'table ' end || o.oid::regclass as name,
         concat_ws(' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity, (
           select string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
             pg_get_expr(adbin, adrelid)), ', ' order by attname)
           from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
           where attrelid = o.oid and attnum > 0 and not attisdropped)) as definition
       from own o where relkind in ('r', 'p', 'v', 'm', 'f')
       union all
       select format('constraint %s of %s', conname, conrelid::regclass),
         concat_ws(' ', pg_get_constraintdef(k.oid), convalidated,
           exists (select from pg_trigger t where t.tgconstraint = k.oid and t.tgenabled not in ('O', 'A')))
       from pg_constraint k join own o on o.oid = k.conrelid where contype in ('p', 'u', 'f', 'c', 'x')
       union all
       select format('unique index %s of %s', i.indexrelid::regclass, i.indrelid::regclass),
         concat_ws(' ', pg_get_indexdef(i.indexrelid), indisvalid, indislive)
       from pg_index i join own o on o.oid = i.indrelid where indisunique
       union all
       select format('trigger %s of %s', tgname, tgrelid::regclass), concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled)
       from pg_trigger t join own o on o.oid = t.tgrelid where not tgisinternal
       union all
       select format('rule %s of %s', rulename, ev_class::regclass), pg_get_ruledef(r.oid)
       from pg_rewrite r join own o on o.oid = r.ev_class where rulename <> '_RETURN'
       union all
       select format('policy %s of %s', polname, polrelid::regclass), concat_ws(' ', pg_get_expr(polqual, polrelid), polcmd)
       from pg_policy p join own o on o.oid = p.polrelid
       union all
       select 'function ' || p.oid::regprocedure, pg_get_functiondef(p.oid)
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and prokind in ('f', 'p')
         and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
       union all
       select 'event trigger ' || evtname, concat_ws(' ', evtevent, evtfoid::regprocedure, evtenabled) from pg_event_trigger
     )
     select name, definition from objects order by name collate "C"`,
  );
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

/** The text of the file, from a migrated database. */
export function catalogueText(catalogue: ReadonlyMap<string, string>): string {
  const digests = [...catalogue].map(([name, definition]) => [name, digestOf(definition)]);
  return `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`;
}

/** Compares the schema with that of a freshly migrated database. */
export async function* auditCatalogue(database: Database): AsyncGenerator<Difference> {
  const expected = new Map<string, string>(Object.entries(JSON.parse(readFileSync(file, 'utf8'))));
  const found = await readCatalogue(database);
  for (const [name, digest] of expected) {
    const definition = found.get(name);
    if (definition === undefined) yield differs(name, 'it is missing');
    else if (digestOf(definition) !== digest)
      yield differs(name, `migrations make it otherwise; it is ${definition}`);
  }
  for (const [name, definition] of found)
    if (!expected.has(name) && !earlierLog.test(name))
      yield differs(name, `no migration makes it; it is ${definition}`);
}

/** What `new-origin` keeps of an earlier log. */
const earlierLog = new RegExp(`^table log_[1-9][0-9]*\\.(${logTables.join('|')})$`);

const differs = (name: string, sentence: string) => new Difference('schema', name, null, sentence);

/** Versions of PostgreSQL break lines of definitions differently. */
function digestOf(definition: string): string {
  return createHash('sha256').update(definition.replaceAll(/\s+/g, ' ')).digest('hex').slice(0, 16);
}
