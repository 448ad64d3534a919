create or replace function lines_added() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  -- Keeps the plan good for calls of any size; otherwise it fits only the size of the first call.
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into due_games (game_id, due_at)
    select a.game_id, 'epoch' from (select distinct game_id from added) a
    where exists (select from pending_picks p where p.game_id = a.game_id and not p.closed)
      and not exists (select from due_games d where d.game_id = a.game_id);
  -- The first price of a sport on a day changes the price checks of all pending picks of that sport.
  with fresh as (
    insert into priced_days (sport, day, captured_at, line_id)
      select g.sport, (a.captured_at at time zone 'America/New_York')::date, min(a.captured_at), min(a.id)
      from added a join games g on g.id = a.game_id where not a.by_hand group by 1, 2 order by 1, 2 on conflict do nothing
      returning sport
  )
  -- Includes games without pending picks, because another transaction could be about to commit one.
  insert into world_changes (subject, subject_id)
    select 'prices', game_id from (
      select a.game_id from added a join games g on g.id = a.game_id where g.status <> 'final'
      union select g.id from fresh f join games g on g.status <> 'final' and (g.sport = f.sport or not exists (select from priced_days))
      union select p.game_id from pending_picks p join added a on a.game_id = p.game_id
      union select p.game_id from pending_picks p join games g on g.id = p.game_id join fresh f on f.sport = g.sport or not exists (select from priced_days)) priced;
  insert into priced_games (game_id) select distinct game_id from added order by game_id on conflict do nothing;
  return null;
end $$;
comment on function lines_added() is
  'Makes games with unclosed picks due at once, and lists priced days, games, and picks in priced_days, priced_games, and world_changes.';
