create or replace function lines_added() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  -- Otherwise the plan is made for the first call and fits only calls of that size.
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into due_games (game_id, due_at)
    select a.game_id, 'epoch' from (select distinct game_id from added) a
    where exists (select from pending_picks p where p.game_id = a.game_id and not p.closed)
      and not exists (select from due_games d where d.game_id = a.game_id);
  insert into priced_days (sport, day, captured_at, line_id)
    select g.sport, (a.captured_at at time zone 'America/New_York')::date, min(a.captured_at), min(a.id)
    from added a join games g on g.id = a.game_id where not a.by_hand group by 1, 2 order by 1, 2 on conflict do nothing;
  insert into priced_games (game_id) select distinct game_id from added order by game_id on conflict do nothing;
  return null;
end $$;
comment on function lines_added() is
  'Makes games due at once whose picks still lack a closing price after the start, and lists what was priced in priced_days and priced_games.';
