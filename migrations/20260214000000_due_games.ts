import type { Knex } from 'knex';

/**
 * Grading looked at every game with pending picks every two seconds. Now whatever may close or settle a pick lists its game, with the
 * instant from which to look at it, so that a sweep without work is one look into an index. A game stays listed until it was looked at,
 * however late: a start that passes while grading is away is not forgotten.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table due_games (
      id bigint generated always as identity primary key,
      game_id bigint not null references games,
      due_at timestamptz not null
    );
    create index due_games_by_time on due_games (due_at, game_id);
    create index due_games_by_game on due_games (game_id);
    comment on table due_games is
      'Games with pending picks, and when grading looks at them next: at the start, or at once (-infinity) when something came in. A work list: filled by triggers and grading, emptied by grading.';

    insert into due_games (game_id, due_at) select distinct game_id, timestamptz '-infinity' from pending_picks;
    drop table repriced_games;

    create or replace function public.picks_posted() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.pending_picks (pick_id, game_id, market, side) select id, game_id, market, side from added;
      insert into public.unsealed_events (kind, subject_id) select 'posted', id from added order by id;
      insert into public.due_games (game_id, due_at)
        select g.id, case when w.at_once or g.starts_at is null then '-infinity' else g.starts_at end
        from (select distinct game_id from added) a
        join public.games g on g.id = a.game_id
        cross join lateral (select g.status <> 'scheduled' or g.was_postponed
          or exists (select from public.results r where r.game_id = g.id) as at_once) w
        where w.at_once or not exists (select from public.due_games d where d.game_id = g.id);
      return null;
    end $$;

    create function public.game_due() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.due_games (game_id, due_at)
        select new.id, '-infinity' where exists (select from public.pending_picks p where p.game_id = new.id);
      return null;
    end $$;
    comment on function public.game_due() is
      'Lists a game in due_games when its start, status or score changes while picks on it are pending.';
    create trigger game_due after update on games for each row
      when ((new.starts_at, new.status, new.home_score, new.away_score, new.home_half_score, new.away_half_score, new.final_at,
          new.was_postponed) is distinct from
        (old.starts_at, old.status, old.home_score, old.away_score, old.home_half_score, old.away_half_score, old.final_at,
          old.was_postponed))
      execute function public.game_due();

    create function public.results_due() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.due_games (game_id, due_at)
        select distinct a.game_id, timestamptz '-infinity' from added a
        where exists (select from public.pending_picks p where p.game_id = a.game_id);
      return null;
    end $$;
    comment on function public.results_due() is 'Lists games in due_games that results come in for while picks on them are pending.';
    create trigger results_due after insert on results
      referencing new table as added for each statement execute function public.results_due();

    -- A game that is listed already is looked at after these prices are stored: while grading has a game locked, no price of it comes in.
    create function public.lines_due() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$ begin
      insert into public.due_games (game_id, due_at)
        select a.game_id, '-infinity' from (select distinct game_id from added) a
        where exists (select from public.pending_picks p where p.game_id = a.game_id and not p.closed)
          and not exists (select from public.due_games d where d.game_id = a.game_id);
      return null;
    end $$;
    comment on function public.lines_due() is
      'Lists games in due_games that prices come in for after grading looked at them at their start, while picks on them are not closed.';
    create trigger lines_due after insert on lines
      referencing new table as added for each statement execute function public.lines_due();

    alter table games enable always trigger game_due;
    alter table results enable always trigger results_due;
    alter table lines enable always trigger lines_due;
  `);
}

/** What the ledger rests on is never taken back. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
