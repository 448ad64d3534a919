create or replace function picks_posted() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into pending_picks (pick_id, game_id, market, subject, side)
    select id, game_id, market, subject, side from added;
  insert into unsealed_events (kind, subject_id) select 'posted', id from added order by id;
  insert into due_games (game_id, due_at)
    select g.id, case when news.any or g.starts_at is null then 'epoch' else g.starts_at end
    from (select game_id, bool_or(provenance = 'imported') as imported from added group by game_id) a
    join games g on g.id = a.game_id
    cross join lateral (select g.status <> 'scheduled' or g.was_postponed
      or exists (select from results r where r.game_id = g.id)
      or exists (select from voids v where v.game_id = g.id) as any) news
    where news.any or a.imported or not exists (select from due_games d where d.game_id = g.id);
  return null;
end $$;
comment on function picks_posted() is 'Lists new picks in pending_picks and unsealed_events, and their games in due_games.';
