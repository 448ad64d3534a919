import type { Knex } from 'knex';

/**
 * What an audit needs to recompute closings: which prices were stored when a pick closed or settled, and which starts its game had.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table closings add column last_line_id bigint;
    alter table settlements add column last_line_id bigint;
    comment on column closings.last_line_id is 'The newest id in lines when the pick closed: later prices had no say. Null before this was kept.';
    comment on column settlements.last_line_id is 'The newest id in lines when the pick settled. Null before this was kept.';

    create function note_last_line() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$ begin
      select case when is_called then last_value else 0 end into new.last_line_id from public.lines_id_seq;
      return new;
    end $$;
    comment on function note_last_line() is 'Notes the newest id in lines, whatever the row says.';
    create trigger closings_last_line before insert on closings for each row execute function note_last_line();
    create trigger settlements_last_line before insert on settlements for each row execute function note_last_line();
    alter table closings enable always trigger closings_last_line;
    alter table settlements enable always trigger settlements_last_line;

    create table earlier_starts (
      game_id bigint not null,
      starts_at timestamptz,
      until timestamptz,
      unique nulls not distinct (game_id, starts_at)
    );
    comment on table earlier_starts is 'Starts that a game had before it was moved. Filled by a trigger; append-only.';
    comment on column earlier_starts.until is 'When it was first replaced, by the clock of the database. Null where that was not kept.';
    insert into earlier_starts (game_id, starts_at)
      select p.game_id, p.starts_at from picks p join games g on g.id = p.game_id
        where p.starts_at is distinct from g.starts_at and p.starts_at is distinct from g.announced_start
      union
      select p.game_id, k.closed_at from closings k join picks p on p.id = k.pick_id join games g on g.id = p.game_id
        where k.closed_at is distinct from g.starts_at and k.closed_at is distinct from g.announced_start;

    create function note_earlier_start() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.earlier_starts (game_id, starts_at, until) values (old.id, old.starts_at, clock_timestamp())
        on conflict do nothing;
      return null;
    end $$;
    comment on function note_earlier_start() is 'Keeps the start that a game had before it was moved.';
    create trigger games_moved after update on games for each row
      when (new.starts_at is distinct from old.starts_at) execute function note_earlier_start();
    alter table games enable always trigger games_moved;
    create trigger earlier_starts_append_only before update or delete or truncate on earlier_starts
      for each statement execute function refuse_change();
    alter table earlier_starts enable always trigger earlier_starts_append_only;
  `);
}

/** A migration never drops columns of the ledger. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
