create or replace function check_tile() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from ledger_nodes where level = 8 and index = new.seq / 256)
    or ((new.seq + 1) % 65536 = 0 and not exists (select from ledger_nodes where level = 16 and index = new.seq / 65536)) then
    raise exception 'entry %: the node that it completes is missing', new.seq using errcode = 'PP004', table = 'ledger_nodes';
  end if;
  return null;
end $$;
comment on function check_tile() is 'Rejects, at the end of a transaction, a completed tile without its node. The tree could not grow further.';
