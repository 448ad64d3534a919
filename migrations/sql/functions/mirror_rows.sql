create or replace function mirror_rows() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  perform copy_rows(j.to_game, j.from_game, tg_table_name, a.first - 1)
    from (select game_id, min(id) as first from added group by game_id) a
    join game_joins j on j.to_game = a.game_id and (j.prices or tg_table_name <> 'lines');
  return null;
end $$;
comment on function mirror_rows() is 'Copies new prices, results, voids, and statistics of a game to the games joined into it.';
