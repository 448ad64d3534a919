create or replace function check_lines_removed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  fault text;
begin
  with snapshots as (
    select game_id, market, book, by_hand, captured_at, bool_or(closing) as closing,
      array_agg(distinct concat_ws(' ', subject, side, coalesce(line_e3::text, '-'), odds_american)) as prices
    from removed group by game_id, market, book, by_hand, captured_at
  )
  select format('prices of game %s are in use', s.game_id) into fault
  from snapshots s
  join games g on g.id = s.game_id
  cross join lateral (select
    max(l.captured_at) filter (where l.captured_at < s.captured_at) as before,
    min(l.captured_at) filter (where l.captured_at > s.captured_at) as after,
    bool_or(l.captured_at = s.captured_at) as is_partial
    from lines l where l.game_id = s.game_id and l.market = s.market and l.book = s.book and l.by_hand = s.by_hand) n
  where exists (select from picks p where p.game_id = s.game_id and p.market = s.market)
    and (s.closing or n.before is null or n.after is null or n.is_partial or g.final_at is null
      -- It differs from an adjacent snapshot.
      or exists (select from (values (n.before), (n.after)) beside (at) where s.prices is distinct from (
        select array_agg(distinct concat_ws(' ', l.subject, l.side, coalesce(l.line_e3::text, '-'), l.odds_american)) from lines l
        where l.game_id = s.game_id and l.market = s.market and l.book = s.book and l.by_hand = s.by_hand
          and l.captured_at = beside.at))
      -- It was the latest snapshot at a start.
      or exists (select from (
          select g.announced_start as at union all select g.starts_at
          union all select m.from_start from start_moves m where m.game_id = s.game_id) start
        where start.at >= s.captured_at and start.at < n.after)
      -- It was the last snapshot before a live pick was posted, or the first one after.
      or exists (select from picks p where p.game_id = s.game_id and p.provenance = 'live'
        and p.posted_at >= n.before and p.posted_at < n.after)
      or exists (select from picks p join closings c on c.pick_id = p.id
        where p.game_id = s.game_id and p.market = s.market and c.book = s.book and c.captured_at = s.captured_at))
  limit 1;
  if fault is null then
    -- It gave a follower's price, among the prices that the settlement used: docs/rules/records.md#the-followers-price.
    select format('prices of game %s are in use', s.game_id) into fault
    from (select game_id, market, book, by_hand, captured_at, subject, min(id) as first_id from removed group by 1, 2, 3, 4, 5, 6) s
    join picks p on p.game_id = s.game_id and p.market = s.market and p.subject is not distinct from s.subject
      and p.provenance = 'live' and s.captured_at >= p.posted_at and s.captured_at <= p.posted_at + interval '75 minutes'
    left join settlements t on t.pick_id = p.id
    cross join unnest(array[5, 15, 60]) delay (minutes)
    cross join lateral (select p.posted_at + make_interval(mins => delay.minutes) as since) w
    where s.captured_at >= w.since and s.captured_at <= w.since + interval '15 minutes'
      and s.first_id <= coalesce(t.last_line_id, s.first_id)
      and not exists (select from lines l
        where l.game_id = s.game_id and l.market = s.market and l.book = s.book and l.by_hand = s.by_hand
          and l.captured_at >= w.since and l.captured_at < s.captured_at
          and l.subject is not distinct from s.subject and l.id <= coalesce(t.last_line_id, l.id))
    limit 1;
  end if;
  if fault is not null then
    raise exception '%', fault using errcode = 'PP005', table = 'lines';
  end if;
  return null;
end $$;
comment on function check_lines_removed() is
  'Rejects removal of prices that picks depend on. Only prices of an ended game that repeat their neighbors can be removed.';
