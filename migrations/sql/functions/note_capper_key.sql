create or replace function note_capper_key() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from log_kind where kind = 'live') then
    new.stored_at := date_trunc('milliseconds', clock_timestamp());
  end if;
  return new;
end $$;
comment on function note_capper_key() is 'Sets stored_at of a capper''s key in a live log by the database''s clock, overriding the statement.';
