-- Webhooks: subscriptions, their events, and their cursors.

insert into reader_cursors values ('webhooks', 0);

create table webhook_filters (
  id int generated always as identity primary key check (id > 0),
  capper_id int references cappers,
  sport text references sports,
  market slug,
  tier tier,
  kind text check (kind in ('posted', 'settled')),
  team plain_text check (char_length(team) between 1 and 100),
  player plain_text check (char_length(player) between 1 and 100),
  about text[] check ((num_nulls(team, player) = 2) = (about is null)),
  head_seq safe_integer not null default -1 check (head_seq >= -1),
  unique nulls not distinct (capper_id, sport, market, tier, kind, team, player)
);
comment on table webhook_filters is 'Each filter with a subscription. A column that is null matches everything.';
comment on column webhook_filters.about is 'The names of the team and of the player, as in webhook_events. An event matches that has one.';
comment on column webhook_filters.head_seq is 'The seq of the newest matching event. -1: none yet.';

create table webhook_subscriptions (
  id int generated always as identity primary key check (id > 0),
  filter_id int not null references webhook_filters,
  owner_email plain_text check (char_length(owner_email) between 3 and 254),
  target_url_sealed bytea not null,
  target_host plain_text not null check (char_length(target_host) between 1 and 300),
  target_url_masked plain_text not null check (char_length(target_url_masked) between 1 and 400),
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  rotated_at instant,
  overlap_seconds int not null default 86400 check (overlap_seconds between 0 and 86400),
  platform slug,
  device sha256_hash,
  client plain_text check (char_length(client) between 1 and 100),
  created_at instant not null,
  status text not null default 'active' check (status in ('active', 'paused', 'disabled', 'revoked')),
  paused_at instant,
  disabled_at instant,
  revoked_at instant,
  cursor_seq seq not null,
  cycle safe_integer not null default 0,
  cycle_sent int not null default 0,
  cycle_over boolean not null default false,
  consecutive_failures int not null default 0 check (consecutive_failures >= 0),
  failed_cycle safe_integer,
  retry_at instant,
  generation safe_integer not null default 0,
  lease_until instant,
  last_delivery_at instant,
  last_status int,
  last_error slug,
  unique (device, filter_id),
  check (owner_email is null = (platform is not distinct from 'push')),
  check (device is null or owner_email is null),
  check (previous_secret_sealed is null or rotated_at is not null),
  check (status <> 'paused' or paused_at is not null)
) with (fillfactor = 50);
comment on table webhook_subscriptions is 'Subscriptions. Each reads the log with a cursor, under a lease.';
comment on column webhook_subscriptions.target_url_sealed is 'Encrypted with SECRET_KEY, like the secrets.';
comment on column webhook_subscriptions.overlap_seconds is
  'Seconds after rotated_at during which the previous secret still signs.';
comment on column webhook_subscriptions.owner_email is 'Null: a device, which has no account.';
comment on column webhook_subscriptions.platform is 'The target''s chat platform, or push. Null: an ordinary receiver.';
comment on column webhook_subscriptions.device is
  'Identifies a device by a hash of the endpoint and the keys that its browser made. It may follow several filters.';
comment on column webhook_subscriptions.client is
  'The address that subscribed, an IPv6 address as its /64, for the limit per address. Erased when the subscription is revoked.';
comment on column webhook_subscriptions.cursor_seq is 'The next entry of the log to consider.';
comment on column webhook_subscriptions.cycle is 'The cycle that cycle_sent and cycle_over refer to.';
comment on column webhook_subscriptions.generation is 'Counts leases. Writes under an older generation are rejected.';

create index webhook_subscriptions_by_email on webhook_subscriptions (lower(owner_email));
create index webhook_subscriptions_by_client on webhook_subscriptions (client) where status in ('active', 'paused');
create index webhook_subscriptions_healthy on webhook_subscriptions (filter_id, cursor_seq, id)
  where status = 'active' and platform is null and consecutive_failures = 0;
create index webhook_subscriptions_slow on webhook_subscriptions (filter_id, cursor_seq, id)
  where status = 'active' and platform is null and consecutive_failures > 0;
create index webhook_subscriptions_chat on webhook_subscriptions (filter_id, cursor_seq, id)
  where status = 'active' and platform <> 'push';
create index webhook_subscriptions_push on webhook_subscriptions (filter_id, cursor_seq, id)
  where status = 'active' and platform = 'push';
create index webhook_subscriptions_ended on webhook_subscriptions (coalesce(revoked_at, disabled_at)) where status <> 'active';
create index webhook_subscriptions_failed on webhook_subscriptions (failed_cycle) where failed_cycle is not null;

create table webhook_events (
  seq seq primary key,
  pick_id id not null,
  kind text not null check (kind in ('posted', 'settled')),
  capper_id int not null,
  sport text not null,
  market slug not null,
  tier tier not null,
  about text[] not null,
  at instant not null
);
comment on table webhook_events is 'Entries of the log that subscribers receive. Can be rebuilt from the log.';
comment on column webhook_events.about is
  'The teams of the game, `team:` and a name in lower case, and the subject of the pick, `player:` and its text, sorted.';
comment on column webhook_events.at is 'When the fanout read the entry.';

create index webhook_events_by_capper on webhook_events (capper_id, seq);
create index webhook_events_by_sport on webhook_events (sport, seq);

create table webhook_cycles (
  id int primary key check (id = 1),
  cycle safe_integer not null,
  started_at instant not null
);
comment on table webhook_cycles is 'One row: the latest fanout cycle, numbered by minutes since 1970.';

create table webhook_attempts (
  slot smallint not null,
  subscription_id int not null,
  at instant not null,
  delivery_id text not null,
  event text not null check (event in ('pick.posted', 'pick.settled', 'ping', 'message')),
  pick_uuid uuid,
  picks smallint not null default 1,
  status int,
  error slug,
  duration_ms int not null check (duration_ms >= 0),
  generation safe_integer,
  next_seq seq
) partition by list (slot);
comment on table webhook_attempts is 'Requests to receivers, kept for 30 days. Partitioned by day, so that a whole day is removed by truncation.';
comment on column webhook_attempts.slot is 'The day of the attempt since 1970, modulo 35.';
comment on column webhook_attempts.generation is 'The generation of the attempt''s lease, if the subscription''s row is updated only when the lease ends.';
comment on column webhook_attempts.next_seq is 'The subscription''s cursor after the attempt.';

create index webhook_attempts_by_subscription on webhook_attempts (subscription_id, at desc);
create index webhook_attempts_by_at on webhook_attempts (at);

do $$ begin
  for slot in 0..34 loop
    execute format('create table webhook_attempts_%s partition of webhook_attempts for values in (%s)', slot, slot);
  end loop;
end $$;

create table webhook_locks (
  name text primary key
);
comment on table webhook_locks is 'A row that a transaction locks while the fanout reads the log or a filter is created.';

insert into webhook_locks values ('announcing');

create trigger webhook_locks_append_only before update or delete or truncate on webhook_locks
  for each statement execute function refuse_change();
