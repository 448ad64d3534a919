create or replace function mirror_game() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update games g set status = new.status, home_score = new.home_score, away_score = new.away_score, home_half_score = new.home_half_score,
      away_half_score = new.away_half_score, sets = new.sets, played = new.played, periods_e3 = new.periods_e3, final_at = new.final_at,
      was_postponed = g.was_postponed or new.was_postponed
    from game_joins j where j.to_game = new.id and g.id = j.from_game and g.status not in ('final', 'cancelled');
  update games g set home_half_score = coalesce(g.home_half_score, new.home_half_score),
      away_half_score = coalesce(g.away_half_score, new.away_half_score), sets = coalesce(g.sets, new.sets)
    from game_joins j where j.to_game = new.id and g.id = j.from_game and new.status = 'final'
      and g.status = 'final' and (g.home_score, g.away_score) = (new.home_score, new.away_score)
      and (g.home_half_score is null and new.home_half_score is not null or g.sets is null and new.sets is not null);
  return null;
end $$;
comment on function mirror_game() is 'Copies the status and score of a game to the games joined into it. Their starts stay.';
