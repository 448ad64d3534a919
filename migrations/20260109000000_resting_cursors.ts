import type { Knex } from 'knex';

/**
 * Makes a successful delivery a heap-only update: it changes no indexed column, so the row is rewritten within its page and no index is. The index
 * of subscriptions with pending events uses `resting_seq` instead of the cursor; it changes once per cycle, not per delivery.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- cursor_seq as of the last release of the subscription's lease.
    alter table webhook_subscriptions add column resting_seq bigint;
    update webhook_subscriptions set resting_seq = cursor_seq;
    alter table webhook_subscriptions alter resting_seq set not null, add check (resting_seq between 0 and cursor_seq);
    drop index webhook_subscriptions_due;
    create index webhook_subscriptions_due on webhook_subscriptions (filter_id, resting_seq) where status = 'active';
    -- Free space in each page for the row versions that deliveries write.
    alter table webhook_subscriptions set (fillfactor = 50);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_subscriptions reset (fillfactor);
    drop index webhook_subscriptions_due;
    alter table webhook_subscriptions drop column resting_seq;
    create index webhook_subscriptions_due on webhook_subscriptions (filter_id, cursor_seq) where status = 'active';
  `);
}
