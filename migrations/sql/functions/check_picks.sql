create or replace function check_picks() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  fault text;
begin
  select format('pick %s: %s', a.uuid, f.reason) into fault
  from added a
  join games g on g.id = a.game_id
  join cappers c on c.id = a.capper_id
  cross join log_kind k
  cross join (select exists (select from login_roles where role = session_user and login = 'web') as is_public) d
  cross join lateral (select case
    when d.is_public and a.author_key is null then 'its author has not signed it'
    when a.author_key is not null and not exists (
      select from capper_keys k where k.key_id = a.author_key and k.capper_id = a.capper_id and k.action = 'add'
        and k.purpose = 'device') then 'its author''s key is not a key of its capper'
    when a.author_key is not null and exists (
      select from capper_keys k where k.key_id = a.author_key and k.action = 'revoke') then 'its author''s key is revoked'
    when not c.verified then 'its capper is not verified'
    when a.tier <> c.tier then 'its tier is not the tier of its capper'
    when a.posted_at >= g.starts_at then 'it is posted after the start of its game'
    when k.kind = 'live' and a.posted_at > clock_timestamp() + interval '1 minute' then 'it is posted in the future'
    when a.provenance = 'imported' then
      case when a.starts_at is distinct from g.announced_start then 'its start is not the announced start of its game' end
    when a.starts_at is null then 'its game has no start'
    when exists (select from start_moves m where m.game_id = g.id and m.from_start <= m.at) then 'its game had a start that has passed'
    when a.starts_at is distinct from g.starts_at then 'its start is not the start of its game'
    when g.status in ('final', 'cancelled') then 'its game is over'
    when k.kind = 'live' and a.posted_at < clock_timestamp() - interval '1 minute' then 'it is posted in the past'
    when k.kind = 'live' and g.starts_at <= clock_timestamp() then 'its game has started'
    end as reason) f
  where f.reason is not null
  limit 1;
  if fault is not null then
    raise exception '%', fault using errcode = 'PP001', table = 'picks';
  end if;
  return null;
end $$;
comment on function check_picks() is 'Rejects picks with an impossible tier, start, post time, or author.';
