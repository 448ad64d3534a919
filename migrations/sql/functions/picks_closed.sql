create or replace function picks_closed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  marked bigint;
begin
  if exists (select from added a join log_kind k on k.kind = 'live'
      where a.closed_at > clock_timestamp() + interval '1 minute') then
    raise exception 'a closing is in the future' using errcode = 'PP002', table = 'closings';
  end if;
  update pending_picks p set closed = true from added where p.pick_id = added.pick_id;
  get diagnostics marked = row_count;
  if marked < (select count(*) from added) then
    raise exception 'a pick that is settled cannot close' using errcode = 'PP002', table = 'closings';
  end if;
  insert into unsealed_events (kind, subject_id) select 'closed', pick_id from added order by closed_at, pick_id;
  return null;
end $$;
comment on function picks_closed() is
  'Marks picks as closed in pending_picks and lists their closings in unsealed_events. Rejects closings of settled picks and closings in the future.';
