import type { Knex } from 'knex';

/**
 * Advisory locks are open to every session: one that takes the lock of sealing and keeps a statement running stops the log. Rows can be
 * locked only by logins with rights on their table. Cursors move only for the login that reads by them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sealing_locks (name text primary key);
    create table webhook_locks (name text primary key);
    create table source_locks (name text primary key);
    insert into sealing_locks values ('sealing'), ('publishing');
    insert into webhook_locks values ('announcing');
    insert into source_locks values ('sources');
    comment on table sealing_locks is 'Rows that sealing and publishing lock while they work. Nothing else may.';
    comment on table webhook_locks is 'The row that is locked while webhooks read the log or a filter is made.';
    comment on table source_locks is 'The row that a source locks while its reports are applied.';

    create function check_cursor() returns trigger language plpgsql
      set search_path = pg_catalog, public, pg_temp as $$ declare owned_by text; begin
      owned_by := case new.reader when 'webhooks' then 'webhooks' else 'boards' end;
      if exists (select from public.login_roles where role = current_user and login <> owned_by) then
        raise insufficient_privilege using message = format('the cursor of %s moves for the login %s alone', new.reader, owned_by);
      end if;
      return new;
    end $$;
    comment on function check_cursor() is 'Refuses to move the cursor of another reader.';
    create trigger check_cursor before update on reader_cursors for each row execute function check_cursor();
    alter table reader_cursors enable always trigger check_cursor;
  `);
  for (const table of lockTables)
    await knex.raw(`
      create trigger ${table}_append_only before update or delete or truncate on ${table}
        for each statement execute function refuse_change();
      alter table ${table} enable always trigger ${table}_append_only;
    `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger check_cursor on reader_cursors;
    drop function check_cursor();
    drop table ${lockTables.join(', ')};
  `);
}

const lockTables = ['sealing_locks', 'webhook_locks', 'source_locks'];
