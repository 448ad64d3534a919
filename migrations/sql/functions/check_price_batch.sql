create or replace function check_price_batch() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.from_seq <> 1 + coalesce((select max(to_seq) from price_batches where id <> new.id), 0) then
    raise exception 'prices from % do not follow the last batch', new.from_seq using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
comment on function check_price_batch() is 'Rejects gaps in the numbers of prices.';
