create or replace function check_cursor() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  owned_by text := case new.reader when 'webhooks' then 'webhooks' else 'boards' end;
begin
  if new.reader <> old.reader or exists (select from login_roles where role = current_user and login <> owned_by) then
    raise insufficient_privilege using message = format('only the login %s may move the cursor of %s', owned_by, new.reader);
  end if;
  return new;
end $$;
comment on function check_cursor() is 'Rejects moving the cursor of another reader.';
