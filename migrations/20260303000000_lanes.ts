import type { Knex } from 'knex';

/**
 * An index per lane finds the subscriptions that are behind, so that filling one lane reads none of the others
 * (docs/decisions/0048-fanout-in-pages.md). Each active subscription is in exactly one of them, as it was in the one that they replace;
 * with `id` they are read on from where a page ended.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index webhook_subscriptions_healthy on webhook_subscriptions (filter_id, resting_seq, id)
      where status = 'active' and platform is null and consecutive_failures = 0;
    create index webhook_subscriptions_slow on webhook_subscriptions (filter_id, resting_seq, id)
      where status = 'active' and platform is null and consecutive_failures > 0;
    create index webhook_subscriptions_chat on webhook_subscriptions (filter_id, resting_seq, id)
      where status = 'active' and platform is not null;
    drop index webhook_subscriptions_due;

    -- Written no more; the release before this one writes it still.
    alter table webhook_cycles alter subscriptions_due set default 0;
    comment on column webhook_cycles.subscriptions_due is 'Unused.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    comment on column webhook_cycles.subscriptions_due is null;
    alter table webhook_cycles alter subscriptions_due drop default;
    create index webhook_subscriptions_due on webhook_subscriptions (filter_id, resting_seq) where status = 'active';
    drop index webhook_subscriptions_healthy, webhook_subscriptions_slow, webhook_subscriptions_chat;
  `);
}
