create or replace function note_price() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  new.price_seq := null;
  if new.stored_at is null or exists (select from log_kind where kind = 'live') then
    new.stored_at := service_clock();
  end if;
  return new;
end $$;
comment on function note_price() is 'Clears price_seq. Sets stored_at, in a live log always, otherwise if the statement does not give it.';
