create or replace function check_notice() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from log_kind where kind = 'live')
    and new.at not between clock_timestamp() - interval '1 minute' and clock_timestamp() + interval '1 minute' then
    raise exception 'a notice in a live log must have the current time, not %', new.at using errcode = 'PP001', table = 'notices';
  end if;
  return new;
end $$;
comment on function check_notice() is 'Rejects notices in a live log with another time than the present.';
