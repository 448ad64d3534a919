create or replace function check_join() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  origin record;
  target record;
  other bigint;
begin
  perform from games where id in (new.from_game, new.to_game) order by id for update;
  select * into origin from games where id = new.from_game;
  select * into target from games where id = new.to_game;
  select to_game into other from game_joins where from_game in (new.from_game, new.to_game);
  if other is not null then
    raise exception 'one of them was joined into game % before', other using errcode = 'restrict_violation';
  elsif origin.sport <> target.sport then
    raise exception 'their sports differ' using errcode = 'restrict_violation';
  elsif abs(extract(epoch from origin.starts_at - target.starts_at)) > 25 * 3600
      or abs(coalesce(origin.day, (origin.starts_at at time zone 'America/New_York')::date)
        - coalesce(target.day, (target.starts_at at time zone 'America/New_York')::date)) > 2 then
    raise exception 'more than a day lies between their starts' using errcode = 'restrict_violation';
  elsif origin.status in ('final', 'cancelled') and target.status in ('final', 'cancelled')
      and (origin.status, origin.home_score, origin.away_score) is distinct from (target.status, target.home_score, target.away_score) then
    raise exception 'they ended differently' using errcode = 'restrict_violation';
  end if;
  new.at := service_clock();
  new.joined_by := coalesce((select login from login_roles where role = session_user), 'owner');
  new.prices := coalesce(new.at < (select min(starts_at) from games where id in (new.from_game, new.to_game)), true);
  return new;
end $$;
comment on function check_join() is 'Completes a join of games. Rejects joins with a joined game, one of another sport, one of another day, and one that ended differently.';
