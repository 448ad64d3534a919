create or replace function check_cursor() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  owned_by text := case new.reader when 'webhooks' then 'webhooks' else 'boards' end;
  size bigint := (select coalesce(max(seq) + 1, 0) from ledger_entries);
begin
  if tg_op = 'UPDATE' and new.reader <> old.reader or exists (select from login_roles where role = current_user and login <> owned_by) then
    raise insufficient_privilege using message = format('only the login %s may move the cursor of %s', owned_by, new.reader);
  end if;
  -- Moving back would count entries twice, and moving past the log would skip entries.
  if exists (select from login_roles where role = current_user) and (
    new.next_seq > size or (tg_op = 'INSERT' and new.next_seq > 0)
    or (tg_op = 'UPDATE' and new.next_seq < old.next_seq and old.next_seq <= size)) then
    raise exception 'the cursor of % can only move forward, and not past the log', new.reader using errcode = 'PP004', table = 'reader_cursors';
  end if;
  return new;
end $$;
comment on function check_cursor() is 'Rejects moving another reader''s cursor, and moving a cursor back or past the log.';
