import type { Knex } from 'knex';

/** Daily partitions of attempts, so that the oldest day can be truncated: 30 days of retention, and a margin on both sides. */
const attemptSlots = 35;

/** Webhook subscriptions, the events that they read, and the outcomes of their deliveries (docs/decisions/0020-webhook-delivery.md). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row for each combination that was subscribed to; null matches every capper or sport. head_seq: the newest matching event in the
    -- log, -1 if there is none.
    create table webhook_filters (
      id int generated always as identity primary key,
      capper_id int references cappers,
      sport text references sports,
      head_seq bigint not null default -1,
      unique nulls not distinct (capper_id, sport)
    );

    create table webhook_subscriptions (
      id int generated always as identity primary key,
      filter_id int not null references webhook_filters,
      owner_email text not null check (plain_text(owner_email, 3, 254)),
      -- AES-256-GCM under SECRET_KEY: the address of a chat channel is itself a credential.
      target_url_sealed bytea not null,
      -- Lower case, with the port unless it is 443.
      target_host text not null check (plain_text(target_host, 1, 300)),
      target_url_masked text not null check (plain_text(target_url_masked, 1, 400)),
      chat boolean not null,
      secret_sealed bytea not null,
      previous_secret_sealed bytea,
      rotated_at timestamptz,
      status text not null default 'active' check (status in ('active', 'disabled', 'revoked')),
      consecutive_failures int not null default 0 check (consecutive_failures >= 0),
      -- The first seq that is neither delivered nor skipped.
      cursor_seq bigint not null check (cursor_seq >= 0),
      created_at timestamptz not null,
      disabled_at timestamptz,
      revoked_at timestamptz,
      last_delivery_at timestamptz,
      last_status int,
      last_error text check (slug(last_error)),
      -- The cycle of the last strike, which is withdrawn if most hosts failed in that cycle: then the fault is our own.
      struck_cycle bigint,
      -- No delivery before this instant: the receiver's Retry-After.
      retry_at timestamptz,
      -- The cycle that sent last and the number of events it has sent, so that the cap holds across restarts of the worker and Redis. Set
      -- to the cap when the cycle has ended for this subscription, because its receiver failed or was too slow.
      cycle bigint not null default 0,
      cycle_sent int not null default 0,
      -- Fencing token and lease (by this server's clock): each delivery raises the generation, and a commit under another generation is
      -- rejected. Anything else that moves the cursor must raise the generation as well.
      generation bigint not null default 0,
      lease_until timestamptz,
      check (previous_secret_sealed is null or rotated_at is not null)
    );
    create index webhook_subscriptions_due on webhook_subscriptions (filter_id, cursor_seq) where status = 'active';
    create index webhook_subscriptions_struck on webhook_subscriptions (struck_cycle) where struck_cycle is not null;
    create index webhook_subscriptions_by_email on webhook_subscriptions (lower(owner_email));
    create index webhook_subscriptions_by_host on webhook_subscriptions (target_host) where status = 'active';

    -- The events of the log that are delivered: those of live picks. Written by the fanout's reader of the log, in the transaction of its
    -- cursor; can be rebuilt from the log at any time. at: when the reader read the event, by the service's clock.
    create table webhook_events (
      seq bigint primary key,
      pick_id bigint not null,
      kind text not null check (kind in ('posted', 'settled')),
      capper_id int not null,
      sport text not null,
      at timestamptz not null
    );
    create index webhook_events_by_capper on webhook_events (capper_id, seq);
    create index webhook_events_by_sport on webhook_events (sport, seq);
    -- The reader starts at the current end of the log: no subscription is older.
    insert into reader_cursors (reader, next_seq) select 'webhooks', coalesce(max(seq) + 1, 0) from ledger_entries;

    -- The last fanout cycle, numbered by the minute of the service's clock since the epoch.
    create table webhook_cycles (
      id int primary key check (id = 1),
      cycle bigint not null,
      started_at timestamptz not null,
      subscriptions_due int not null
    );

    -- slot: the day of the attempt since the epoch, modulo the number of slots.
    create table webhook_attempts (
      slot smallint not null,
      subscription_id int not null,
      at timestamptz not null,
      delivery_id text not null,
      event text not null check (event in ('pick.posted', 'pick.settled', 'ping', 'message')),
      pick_uuid uuid,
      picks smallint not null default 1,
      status int,
      error text check (slug(error)),
      duration_ms int not null check (duration_ms >= 0)
    ) partition by list (slot);
    create index webhook_attempts_by_subscription on webhook_attempts (subscription_id, at desc);
    create index webhook_attempts_by_at on webhook_attempts (at);
  `);
  for (let slot = 0; slot < attemptSlots; slot++) {
    await knex.raw(`
      create table webhook_attempts_${slot} partition of webhook_attempts for values in (${slot});
      grant select, truncate on webhook_attempts_${slot} to public_picks_service;
    `);
  }
  for (const table of [
    'webhook_filters',
    'webhook_subscriptions',
    'webhook_events',
    'webhook_cycles',
    'webhook_attempts',
  ]) {
    await knex.raw(`grant select, insert, update, delete on ${table} to public_picks_service`);
  }
  // The id is drawn before the row is inserted, since the encrypted columns are bound to it.
  await knex.raw('grant usage on sequence webhook_subscriptions_id_seq to public_picks_service');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop table webhook_attempts, webhook_cycles, webhook_events, webhook_subscriptions, webhook_filters',
  );
  await knex('reader_cursors').where({ reader: 'webhooks' }).delete();
}
