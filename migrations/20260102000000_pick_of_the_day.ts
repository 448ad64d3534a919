import type { Knex } from 'knex';

/** The Pick of the Day of each ET day. Chosen once; later changes of the pick do not change it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table picks_of_the_day (
      day date primary key,
      pick_id bigint not null,
      chosen_at timestamptz not null
    );
    grant select, insert, update, delete on picks_of_the_day to public_picks_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table picks_of_the_day');
}
