create or replace function note_last_line() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  new.last_line_id := coalesce(pg_sequence_last_value('lines_id_seq'), 0);
  return new;
end $$;
comment on function note_last_line() is 'Sets last_line_id to the newest id in lines, overriding the statement.';
