import type { Knex } from 'knex';

/** A subscription names its chat platform, where it said only whether it had one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The name of the chat platform whose channel the target is; null for a receiver of signed events.
    alter table webhook_subscriptions add column platform text check (slug(platform));
    update webhook_subscriptions set platform = 'discord' where chat;
    alter table webhook_subscriptions drop column chat;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_subscriptions add column chat boolean;
    update webhook_subscriptions set chat = platform is not null;
    alter table webhook_subscriptions alter chat set not null, drop column platform;
  `);
}
