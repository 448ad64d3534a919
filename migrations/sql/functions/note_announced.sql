create or replace function note_announced() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  new.announced_at := service_clock();
  return new;
end $$;
comment on function note_announced() is 'Sets announced_at, overriding the statement.';
