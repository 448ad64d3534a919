create or replace function joined_game(game bigint, size bigint) returns bigint
  language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return (
    with recursive chain (id) as (
      select game
      union all
      select j.to_game from chain c join game_joins j on j.from_game = c.id join ledger_entries e on e.join_id = j.id and e.seq < size
    )
    select min(id) from chain);
end $$;
comment on function joined_game(bigint, bigint) is 'Returns the game that a game was joined into, by the entries of a log of that size; the game itself if none.';
