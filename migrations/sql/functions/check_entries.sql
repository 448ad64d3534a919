create or replace function check_entries() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  fault text;
begin
  select reason into fault from (
    select format('entries %s to %s do not continue the log', min(seq), max(seq)) as reason from added
    having max(seq) - min(seq) + 1 <> count(*)
      or (min(seq) > 0 and not exists (select from ledger_entries e where e.seq = (select min(seq) - 1 from added)))
    union all
    select format('entry %s: its event is not stored', a.seq)
    from added a join picks p on p.id = a.pick_id join cappers c on c.id = p.capper_id
    where (a.uuid, a.capper) <> (p.uuid, c.handle)
      or (a.kind = 'closed' and not exists (select from closings k where k.pick_id = a.pick_id))
      or (a.kind = 'settled' and not exists (select from settlements s where s.pick_id = a.pick_id))) f
  limit 1;
  if fault is not null then
    raise exception '%', fault using errcode = 'PP004', table = 'ledger_entries';
  end if;
  return null;
end $$;
comment on function check_entries() is 'Rejects entries that leave a gap in seq, and entries of events that are not stored.';
