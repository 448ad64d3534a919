create or replace function keep_game() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if (new.id, new.sport) <> (old.id, old.sport) or new.announced_start is distinct from old.announced_start
    or new.day is distinct from old.day
    or new.announced_at <> old.announced_at
    or (new.name <> old.name and (old.home_known
      or exists (select from picks where game_id = old.id)
      or exists (select from lines where game_id = old.id)
      or exists (select from results where game_id = old.id))) then
    raise exception 'the identity of a game never changes' using errcode = 'restrict_violation';
  end if;
  if old.vouched_at is null and new.vouched_at is not null then
    new.vouched_at := service_clock();
  elsif new.vouched_at is distinct from old.vouched_at then
    raise exception 'a game that was announced stays announced' using errcode = 'restrict_violation';
  end if;
  new.held_start := coalesce(old.held_start,
    case when new.starts_at is distinct from old.starts_at and old.starts_at <= service_clock() then old.starts_at end);
  if old.home_known and not new.home_known then
    raise exception 'a known home team stays known' using errcode = 'restrict_violation';
  end if;
  if old.status in ('final', 'cancelled')
    and (new.status, new.home_score, new.away_score, new.played, new.periods_e3, new.final_at)
      is distinct from (old.status, old.home_score, old.away_score, old.played, old.periods_e3, old.final_at) then
    raise exception 'game % has ended: a final score and the end of a game never change', old.id using errcode = 'PP005';
  end if;
  if old.home_half_score is not null
    and (new.home_half_score, new.away_half_score) is distinct from (old.home_half_score, old.away_half_score) then
    raise exception 'the score of a first half never changes' using errcode = 'restrict_violation';
  end if;
  if old.sets is not null and new.sets is distinct from old.sets then
    raise exception 'the sets of a match never change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
comment on function keep_game() is
  'Rejects changes of a game''s identity and of its result, and sets held_start. Home and away can be swapped while they are a guess and nothing refers to the game.';
