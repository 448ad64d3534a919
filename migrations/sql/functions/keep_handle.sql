create or replace function keep_handle() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.id <> old.id or new.handle <> old.handle then
    raise exception 'a handle never changes' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
comment on function keep_handle() is 'Rejects changes of a handle.';
