create or replace function note_game_of_subject() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into world_changes (subject, subject_id) values ('game', new.game_id);
  return null;
end $$;
comment on function note_game_of_subject() is 'Lists a game in world_changes if a source named a subject of it otherwise.';
