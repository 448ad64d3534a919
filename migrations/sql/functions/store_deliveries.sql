create or replace function store_deliveries(given json, lease_ms int) returns table (id int, stored boolean)
  language plpgsql set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with given as materialized (
      select g.*, to_timestamp(g.at / 1000) as made_at
      from json_to_recordset(given) as g (id int, generation bigint, cursor bigint, cycle bigint, sent int, over boolean, failures int,
        failed boolean, disabled boolean, retry float, rotated float, keep boolean, slot int, at float, delivery text, event text,
        pick uuid, picks int, status int, error text, took int)
    ), moved as materialized (
      update webhook_subscriptions s set cursor_seq = g.cursor,
        cycle = g.cycle, cycle_sent = g.sent,
        cycle_over = coalesce(g.over, false), consecutive_failures = g.failures, retry_at = to_timestamp(g.retry / 1000),
        failed_cycle = case when g.failures = 0 then null when g.failed then g.cycle else s.failed_cycle end,
        status = case when g.disabled and s.status = 'active' then 'disabled' else s.status end,
        disabled_at = case when g.disabled and s.status = 'active' then g.made_at else s.disabled_at end,
        last_delivery_at = coalesce(g.made_at, s.last_delivery_at),
        last_status = case when g.at is null then s.last_status else g.status end,
        last_error = case when g.at is null then s.last_error else g.error end,
        lease_until = case when g.keep then clock_timestamp() + lease_ms * interval '1 millisecond' end
      from given g where s.id = g.id and s.generation = g.generation
      returning s.id, s.status = 'active' and s.rotated_at is not distinct from to_timestamp(g.rotated / 1000) as same
    ), recorded as (
      insert into webhook_attempts (slot, subscription_id, at, delivery_id, event, pick_uuid, picks, status, error, duration_ms)
      select slot, id, made_at, delivery, event, pick, picks, status, error, took from given where at is not null
    )
    select g.id, g.id in (select m.id from moved m) from given g where g.id not in (select m.id from moved m where m.same);
end $$;
comment on function store_deliveries(json, int) is
  'Stores deliveries and the cursors of their subscriptions. Returns the subscriptions that changed or whose lease was lost.';
