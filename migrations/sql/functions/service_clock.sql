create or replace function service_clock() returns timestamptz
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return date_trunc('milliseconds', case when exists (select from log_kind where kind = 'live') then clock_timestamp()
    else coalesce(nullif(current_setting('public_picks.now', true), '')::timestamptz, clock_timestamp()) end);
end $$;
comment on function service_clock() is
  'Returns the database''s clock. In a replay or demo, returns the service''s clock if the transaction has set it.';
