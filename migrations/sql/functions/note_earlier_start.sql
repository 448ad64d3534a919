create or replace function note_earlier_start() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into earlier_starts (game_id, starts_at, until) values (old.id, old.starts_at, clock_timestamp())
    on conflict do nothing;
  return null;
end $$;
comment on function note_earlier_start() is 'Keeps the start that a game had before it was moved.';
