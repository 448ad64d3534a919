create or replace function check_join() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from games where id in (new.from_game, new.to_game) order by id for update;
  if exists (select from game_joins where from_game = new.to_game) then
    raise exception 'game % is joined already', new.to_game using errcode = 'restrict_violation';
  end if;
  if (select count(distinct sport) from games where id in (new.from_game, new.to_game)) <> 1 then
    raise exception 'games of different sports cannot be joined' using errcode = 'restrict_violation';
  end if;
  new.at := service_clock();
  new.joined_by := coalesce((select login from login_roles where role = session_user), 'owner');
  new.prices := coalesce(new.at < (select min(starts_at) from games where id in (new.from_game, new.to_game)), true);
  return new;
end $$;
comment on function check_join() is 'Completes a join of games. Rejects joins with a joined game or a game of another sport.';
