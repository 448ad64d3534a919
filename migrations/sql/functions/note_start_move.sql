create or replace function note_start_move() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into start_moves (game_id, game, from_start, to_start, at, moved_by)
  values (new.id, new.name, case tg_op when 'INSERT' then new.announced_start else old.starts_at end, new.starts_at,
    service_clock(), coalesce((select login from login_roles where role = session_user), 'owner'));
  return null;
end $$;
comment on function note_start_move() is 'Records a move of a game''s start in start_moves.';
