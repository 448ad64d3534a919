create or replace function join_games() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  origin record;
  target record;
  kind text;
begin
  update games set home_known = true where id in (new.from_game, new.to_game) and not home_known;
  update games set vouched_at = service_clock() where id = new.to_game and vouched_at is null
    and exists (select from games where id = new.from_game and vouched_at is not null);
  update source_events e set game_id = new.to_game where game_id = new.from_game
    and not exists (select from source_events o where (o.source, o.event_id, o.game_id) = (e.source, e.event_id, new.to_game));
  update source_scores s set game_id = new.to_game where game_id = new.from_game
    and not exists (select from source_scores o where (o.source, o.game_id) = (s.source, new.to_game));
  delete from source_events where game_id = new.from_game;
  delete from source_scores where game_id = new.from_game;
  foreach kind in array array['lines', 'results', 'voids', 'stats'] loop
    continue when kind = 'lines' and not new.prices;
    -- The rows that the other game gets come back as copies, which change nothing.
    perform copy_rows(new.from_game, new.to_game, kind, 0);
    perform copy_rows(new.to_game, new.from_game, kind, 0);
  end loop;
  select * into origin from games where id = new.from_game;
  select * into target from games where id = new.to_game;
  -- A change of the earlier game reaches the other through mirror_game.
  if target.status not in ('final', 'cancelled') and origin.status <> 'scheduled' then
    update games set status = origin.status, home_score = origin.home_score, away_score = origin.away_score,
      home_half_score = origin.home_half_score, away_half_score = origin.away_half_score, sets = origin.sets, played = origin.played,
      periods_e3 = origin.periods_e3, final_at = origin.final_at, was_postponed = was_postponed or origin.was_postponed
      where id = target.id;
  elsif target.status <> 'scheduled' and origin.status not in ('final', 'cancelled') then
    update games set status = target.status, home_score = target.home_score, away_score = target.away_score,
      home_half_score = target.home_half_score, away_half_score = target.away_half_score, sets = target.sets, played = target.played,
      periods_e3 = target.periods_e3, final_at = target.final_at, was_postponed = was_postponed or target.was_postponed
      where id = origin.id;
  end if;
  return null;
end $$;
comment on function join_games() is
  'Gives both games of a join the prices, results, and score of the other, and the earlier one the events of the sources.';
