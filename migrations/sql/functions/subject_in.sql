create or replace function subject_in(target bigint, origin bigint, named text) returns text
  language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return coalesce((
    select t.subject from subjects o join subjects t on t.game_id = target and t.form = o.form
    where o.game_id = origin and o.subject = named order by t.subject = named, t.form limit 1), named);
end $$;
comment on function subject_in(bigint, bigint, text) is 'Returns the subject of a game that has the spelling of a subject of another game.';
