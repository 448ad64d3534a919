import type { Knex } from 'knex';

/** Who is publishing a checkpoint: from its signing until it is stored, while witnesses are asked and no transaction is open. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- until: by this server's clock. One that has run out is nobody's.
    create table publisher_lease (
      id int primary key check (id = 1),
      holder uuid not null,
      until timestamptz not null
    );
    grant select, insert, update, delete on publisher_lease to public_picks_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table publisher_lease');
}
