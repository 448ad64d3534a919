create or replace function note_change() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into world_changes (subject, subject_id) values (tg_argv[0], new.id);
  return null;
end $$;
comment on function note_change() is 'Lists a changed game or capper in world_changes.';
