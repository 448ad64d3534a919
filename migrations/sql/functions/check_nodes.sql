create or replace function check_nodes() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Sealing stores the entries of a tile first. A node stored ahead of them would block the correct one.
  if new.level % 8 <> 0 or new.level > 48
    or ((new.index + 1)::numeric * 2::numeric ^ new.level) > (select coalesce(max(seq) + 1, 0) from ledger_entries) then
    raise exception 'node % of level % is ahead of the log', new.index, new.level using errcode = 'PP004', table = 'ledger_nodes';
  end if;
  return null;
end $$;
comment on function check_nodes() is 'Rejects nodes over entries that are not stored.';
