create or replace function note_announced() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  new.announced_at := service_clock();
  if new.vouched_at is not null then
    new.vouched_at := new.announced_at;
  end if;
  new.held_start := case when new.announced_start <= new.announced_at and new.starts_at is distinct from new.announced_start
    then new.announced_start end;
  return new;
end $$;
comment on function note_announced() is 'Sets announced_at, held_start, and vouched_at unless only a sheet names the game, overriding the statement.';
