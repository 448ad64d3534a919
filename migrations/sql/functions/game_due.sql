create or replace function game_due() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into due_games (game_id, due_at)
    select new.id, 'epoch' where exists (select from pending_picks p where p.game_id = new.id);
  return null;
end $$;
comment on function game_due() is 'Makes a changed game with pending picks due at once.';
