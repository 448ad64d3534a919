import type { Knex } from 'knex';

/**
 * Subscriptions prove themselves (docs/decisions/0022-webhook-subscriptions.md), and a rotation says for how long the secret before it signs on.
 * Subscriptions from before this migration count as proven.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_subscriptions
      add column proven_at timestamptz,
      add column client text check (plain_text(client, 1, 100)),
      add column verify_at timestamptz,
      add column verify_attempts smallint not null default 0 check (verify_attempts >= 0),
      add column overlap_seconds int not null default 86400 check (overlap_seconds between 0 and 86400),
      add check (proven_at is null or (client is null and verify_at is null));
    update webhook_subscriptions set proven_at = coalesce(last_delivery_at, created_at);
    create index webhook_subscriptions_unproven on webhook_subscriptions (created_at) where proven_at is null;
    create index webhook_subscriptions_unproven_by_client on webhook_subscriptions (client) where proven_at is null;
    create index webhook_subscriptions_to_verify on webhook_subscriptions (verify_at) where verify_at is not null;
    create index webhook_subscriptions_ended on webhook_subscriptions (coalesce(revoked_at, disabled_at)) where status <> 'active';

    alter table webhook_attempts drop constraint webhook_attempts_event_check, add constraint webhook_attempts_event_check
      check (event in ('pick.posted', 'pick.settled', 'ping', 'webhook.verify', 'message'));

    comment on column webhook_subscriptions.proven_at is
      'When the receiver first answered a signed request with 2xx, or the chat platform took a message. Only proven ones count towards the limits per e-mail and host.';
    comment on column webhook_subscriptions.client is
      'The client address that subscribed, an IPv6 one as its /64. Erased when the subscription is proven.';
    comment on column webhook_subscriptions.verify_at is 'When webhook.verify is due. Null: it is not sent any more.';
    comment on column webhook_subscriptions.verify_attempts is 'How often webhook.verify was sent.';
    comment on column webhook_subscriptions.overlap_seconds is
      'Seconds after rotated_at during which the secret before it still signs.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from webhook_attempts where event = 'webhook.verify';
    alter table webhook_attempts drop constraint webhook_attempts_event_check, add constraint webhook_attempts_event_check
      check (event in ('pick.posted', 'pick.settled', 'ping', 'message'));
    drop index webhook_subscriptions_ended;
    alter table webhook_subscriptions drop column proven_at, drop column client, drop column verify_at, drop column verify_attempts,
      drop column overlap_seconds;
  `);
}
