create or replace function results_added() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into due_games (game_id, due_at)
    select distinct a.game_id, timestamptz 'epoch' from added a
    where exists (select from pending_picks p where p.game_id = a.game_id);
  return null;
end $$;
comment on function results_added() is 'Makes games with new results, statistics, claims, or voids and pending picks due at once.';
