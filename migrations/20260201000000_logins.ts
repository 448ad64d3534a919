import type { Knex } from 'knex';

/**
 * Each process has a login of its own (migrations/rights.ts), so triggers write under the owner's rights what no process may write. Their
 * functions resolve no name by the session's search path: a temporary table of the same name would take what is meant for the real one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table login_roles (
      login text primary key check (slug(login)),
      role name not null unique
    );
    comment on table login_roles is 'The role that each process logs in as. Written by migrate.';

    create or replace function public.picks_posted() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.pending_picks (pick_id, game_id, market, side) select id, game_id, market, side from added;
      insert into public.unsealed_events (kind, subject_id) select 'posted', id from added order by id;
      return null;
    end $$;
    create or replace function public.picks_closed() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      update public.pending_picks p set closed = true from added where p.pick_id = added.pick_id;
      insert into public.unsealed_events (kind, subject_id)
        select 'closed', pick_id from added order by closed_at, pick_id;
      return null;
    end $$;
    create or replace function public.picks_settled() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      delete from public.pending_picks p using added where p.pick_id = added.pick_id;
      insert into public.unsealed_events (kind, subject_id)
        select 'settled', pick_id from added order by settled_at, pick_id;
      return null;
    end $$;
    create or replace function public.notices_made() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.unsealed_events (kind, subject_id) select 'notice', id from added order by id;
      return null;
    end $$;
    create or replace function public.key_announced() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.unsealed_events (kind, subject_id) select 'key', id from added where note is not null order by id;
      return null;
    end $$;
    create or replace function public.note_change() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.world_changes (subject, subject_id) values (tg_argv[0], new.id);
      return null;
    end $$;
    -- These two read and write no table.
    alter function public.refuse_change() set search_path = pg_catalog, public, pg_temp;
    alter function public.keep_identity() set search_path = pg_catalog, public, pg_temp;
  `);
}

/** What the ledger rests on is never taken back. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
