create or replace function check_unsealed_removed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  fault text;
begin
  select format('the %s event of %s is not sealed', r.kind, r.subject_id) into fault
  from removed r
  where not exists (select from events_set_aside a where a.id = r.id)
    and not case r.kind
      when 'notice' then exists (select from ledger_entries e where e.notice_id = r.subject_id)
      when 'start_moved' then exists (select from ledger_entries e where e.move_id = r.subject_id)
      when 'game_joined' then exists (select from ledger_entries e where e.join_id = r.subject_id)
      when 'prices' then exists (select from ledger_entries e where e.prices_id = r.subject_id)
      when 'data' then exists (select from ledger_entries e where e.data_id = r.subject_id)
      when 'capper_key' then exists (select from ledger_entries e where e.capper_key_id = r.subject_id)
      when 'key' then exists (select from ledger_entries e where e.key_id = r.subject_id)
      else exists (select from ledger_entries e where e.pick_id = r.subject_id and e.kind = r.kind) end
  limit 1;
  if fault is not null then
    raise exception '%', fault using errcode = 'PP005', table = 'unsealed_events';
  end if;
  return null;
end $$;
comment on function check_unsealed_removed() is 'Rejects removal of an event that is neither sealed nor set aside.';
