create or replace function picks_settled() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from added a join log_kind k on k.kind = 'live'
      where a.settled_at > clock_timestamp() + interval '1 minute') then
    raise exception 'a settlement is in the future' using errcode = 'PP003', table = 'settlements';
  end if;
  delete from pending_picks p using added where p.pick_id = added.pick_id;
  insert into unsealed_events (kind, subject_id) select 'settled', pick_id from added order by settled_at, pick_id;
  return null;
end $$;
comment on function picks_settled() is
  'Removes picks from pending_picks and lists their settlements in unsealed_events. Rejects settlements in the future.';
