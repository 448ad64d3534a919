import type { Knex } from 'knex';

/** How far the demo's world has been generated. Empty and unused in a real ledger. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table demo_progress (
      id int primary key check (id = 1),
      until timestamptz not null
    );
    grant select, insert, update, delete on demo_progress to public_picks_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table demo_progress');
}
