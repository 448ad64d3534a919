import type { Knex } from 'knex';

/** A subscription names its chat platform, and says of itself when its cycle is over. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The name of the chat platform whose channel the target is; null for a receiver of signed events.
    alter table webhook_subscriptions add column platform text check (slug(platform));
    update webhook_subscriptions set platform = 'discord' where chat;
    alter table webhook_subscriptions drop column chat;
    -- Whether the cycle sends nothing more: its receiver failed, or its time was up. Before, cycle_sent was the cap then.
    alter table webhook_subscriptions add column cycle_over boolean not null default false;
    alter table webhook_subscriptions rename column struck_cycle to failed_cycle;
    alter index webhook_subscriptions_struck rename to webhook_subscriptions_failed;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter index webhook_subscriptions_failed rename to webhook_subscriptions_struck;
    alter table webhook_subscriptions rename column failed_cycle to struck_cycle;
    alter table webhook_subscriptions add column chat boolean;
    update webhook_subscriptions set chat = platform is not null, cycle_sent = case when cycle_over then 50 else cycle_sent end;
    alter table webhook_subscriptions drop column cycle_over;
    alter table webhook_subscriptions alter chat set not null, drop column platform;
  `);
}
