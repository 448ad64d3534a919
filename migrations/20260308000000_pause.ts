import type { Knex } from 'knex';

/**
 * A subscription can be paused by its owner (docs/decisions/0050-managing-webhooks.md). The indexes by lane know active ones only, so that
 * a paused one costs the fanout nothing; it keeps its room in the limits.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_subscriptions
      add column paused_at timestamptz,
      drop constraint webhook_subscriptions_status_check,
      add constraint webhook_subscriptions_status_check check (status in ('active', 'paused', 'disabled', 'revoked')),
      add check (status <> 'paused' or paused_at is not null);
    drop index webhook_subscriptions_by_host;
    create index webhook_subscriptions_by_host on webhook_subscriptions (target_host) where status in ('active', 'paused');
    comment on column webhook_subscriptions.paused_at is 'When its owner paused it. Null: it is not paused.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update webhook_subscriptions set status = 'disabled', disabled_at = paused_at where status = 'paused';
    drop index webhook_subscriptions_by_host;
    create index webhook_subscriptions_by_host on webhook_subscriptions (target_host) where status = 'active';
    alter table webhook_subscriptions
      drop column paused_at,
      drop constraint webhook_subscriptions_status_check,
      add constraint webhook_subscriptions_status_check check (status in ('active', 'disabled', 'revoked'));
  `);
}
