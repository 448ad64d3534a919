create or replace function service_clock() returns timestamptz
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return date_trunc('milliseconds', case when exists (select from log_kind where kind = 'live') then clock_timestamp()
    else coalesce(nullif(current_setting('public_picks.now', true), '')::timestamptz, clock_timestamp()) end);
end $$;
comment on function service_clock() is
  'The clock of the database. In a log that is not live, the clock of the service as far as the transaction has told it.';
