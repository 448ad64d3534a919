import type { Knex } from 'knex';

/** Games are looked up by name, ignoring case. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index games_by_folded_name on games (sport, lower(name))');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index games_by_folded_name');
}
