create or replace function note_profile() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into world_changes (subject, subject_id) values ('capper', new.capper_id);
  return null;
end $$;
comment on function note_profile() is 'Lists a capper with a new profile in world_changes.';
