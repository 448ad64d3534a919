import type { Knex } from 'knex';

/** The lease to publish a checkpoint, held from signing until storing: witnesses are asked while no transaction is open. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- until: by this server's clock. An expired lease has no holder.
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
