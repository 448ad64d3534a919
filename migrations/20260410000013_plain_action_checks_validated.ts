import type { Knex } from 'knex';

/** Validates the checks that `plain_action_checks` adds; nobody waits for that. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table operator_actions validate constraint operator_actions_operator_check;
    alter table operator_actions validate constraint operator_actions_action_check;
  `);
}

/** A validated constraint is as good as one that is not. */
export async function down(): Promise<void> {}
