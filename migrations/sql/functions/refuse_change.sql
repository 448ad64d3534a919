create or replace function refuse_change() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception '% on % is refused: the table is append-only', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;
comment on function refuse_change() is 'Rejects changes of append-only tables, also by the owner.';
