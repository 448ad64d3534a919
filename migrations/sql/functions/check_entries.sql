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
      or (a.kind = 'settled' and not exists (select from settlements s where s.pick_id = a.pick_id))
    union all
    -- A broken chain would keep every later pick of the capper out of the log.
    select format('entry %s: it does not continue the chain of its capper or pick', a.seq)
    from added a
    where case a.kind
      when 'posted' then case a.capper_seq when 1 then a.capper_prev is not null
        else not exists (select from ledger_entries e where e.capper = a.capper and e.kind = 'posted'
          and e.capper_seq = a.capper_seq - 1 and e.hash = a.capper_prev) end
      when 'closed' then not exists (select from ledger_entries e where e.pick_id = a.pick_id and e.kind = 'posted'
          and (e.capper_seq, e.hash) = (a.capper_seq, a.prev))
      when 'settled' then not exists (select from ledger_entries e where e.pick_id = a.pick_id and e.kind in ('posted', 'closed')
          and (e.capper_seq, e.hash) = (a.capper_seq, a.prev))
      else false end) f
  limit 1;
  if fault is not null then
    raise exception '%', fault using errcode = 'PP004', table = 'ledger_entries';
  end if;
  return null;
end $$;
comment on function check_entries() is 'Rejects entries without a stored event, and gaps in seq or in the chain of a capper or pick.';
