import type { Knex } from 'knex';

/**
 * The version of each pick's hashed body (docs/decisions/0026-provenance.md). Picks stored before this migration have version 1, sealed or
 * not: some were acknowledged already. All later ones have version 2: the constraint is not validated, so it is of new rows alone.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table picks add column body_version smallint not null default 1;
    alter table picks alter column body_version set default 2,
      add constraint picks_body_version check (body_version = 2) not valid;
    comment on column picks.body_version is
      'Version of the hashed body. 1, without provenance: stored before there was version 2.';
  `);
}

/** A migration never drops columns of the ledger. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
