create or replace function note_deliveries(
  ids int[], generations bigint[], rotated float[], nexts bigint[], slots smallint[], at float[], deliveries text[], events text[],
  picks uuid[], counts smallint[], statuses int[], took int[]
) returns table (id int, stored boolean)
  language plpgsql set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  insert into webhook_attempts
      (slot, subscription_id, at, delivery_id, event, pick_uuid, picks, status, duration_ms, generation, next_seq)
    select g.slot, g.id, to_timestamp(g.at / 1000), g.delivery, g.event, g.pick, g.count, g.status, g.took, g.generation, g.next
    from unnest(slots, ids, at, deliveries, events, picks, counts, statuses, took, generations, nexts)
      as g (slot, id, at, delivery, event, pick, count, status, took, generation, next);
  return query
    select g.id, coalesce(s.generation = g.generation, false)
    from unnest(ids, generations, rotated) as g (id, generation, rotated) left join webhook_subscriptions s on s.id = g.id
    where (s.generation = g.generation and s.status = 'active'
      and s.rotated_at is not distinct from to_timestamp(g.rotated / 1000)) is not true;
end $$;
comment on function note_deliveries(int[], bigint[], float[], bigint[], smallint[], float[], text[], text[], uuid[], smallint[], int[], int[]) is
  'Records deliveries under leases that continue. Returns the subscriptions that changed or whose lease was lost.';
