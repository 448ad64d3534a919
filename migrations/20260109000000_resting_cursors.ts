import type { Knex } from 'knex';

/**
 * A delivery that succeeds changes nothing that is indexed: its row is then written within its page, and no index with it (a heap-only update). What
 * finds the subscriptions that have something to send is where their cursors rest, which changes once for all deliveries of a cycle.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- cursor_seq as it was when the subscription was last set free.
    alter table webhook_subscriptions add column resting_seq bigint;
    update webhook_subscriptions set resting_seq = cursor_seq;
    alter table webhook_subscriptions alter resting_seq set not null, add check (resting_seq between 0 and cursor_seq);
    drop index webhook_subscriptions_due;
    create index webhook_subscriptions_due on webhook_subscriptions (filter_id, resting_seq) where status = 'active';
    -- Room in each page for the versions that deliveries write.
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
