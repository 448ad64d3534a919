create or replace function check_checkpoint() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.size > (select coalesce(max(seq) + 1, 0) from ledger_entries) then
    raise exception 'the log has fewer entries than the % of the checkpoint', new.size using errcode = 'PP004', table = 'checkpoints';
  end if;
  if new.previous is distinct from (select max(size) from checkpoints where size <> new.size) then
    raise exception 'checkpoint % does not follow the newest one', new.size using errcode = 'PP004', table = 'checkpoints';
  end if;
  return null;
end $$;
comment on function check_checkpoint() is 'Rejects checkpoints beyond the log, and those that do not follow the newest one.';
