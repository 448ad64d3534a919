create or replace function queue_event() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into unsealed_events (kind, subject_id) values (tg_argv[0], new.id);
  return null;
end $$;
comment on function queue_event() is 'Lists a new notice, key, capper''s key, move of a start, join of games, or index of data files in unsealed_events.';
