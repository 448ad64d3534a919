/** Returns SQL that removes every check from a table, including those of its columns' types. */
export function uncheckedSql(table: string): string {
  return `do $$ declare each record; begin
    for each in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'c' loop
      execute format('alter table ${table} drop constraint %I', each.conname);
    end loop;
    for each in select attname from pg_attribute where attrelid = '${table}'::regclass and attgenerated <> '' loop
      execute format('alter table ${table} alter column %I drop expression', each.attname);
    end loop;
    for each in select attname, format_type(typbasetype, typtypmod) as base from pg_attribute join pg_type t on t.oid = atttypid
      where attrelid = '${table}'::regclass and attnum > 0 and typtype = 'd' loop
      execute format('alter table ${table} alter column %I type %s', each.attname, each.base);
    end loop;
  end $$`;
}
