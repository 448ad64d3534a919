create or replace function keep_price() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  numbered record := old;
begin
  numbered.price_seq := new.price_seq;
  if old.price_seq is not null or new is distinct from numbered then
    raise exception 'a stored price never changes, except that it is numbered once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
comment on function keep_price() is 'Rejects changes of prices, except the number that sealing gives each.';
