create or replace function note_announced() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  new.announced_at := service_clock();
  if new.vouched_at is not null then
    new.vouched_at := new.announced_at;
  end if;
  return new;
end $$;
comment on function note_announced() is 'Sets announced_at, and vouched_at unless only a sheet names the game, overriding the statement.';
