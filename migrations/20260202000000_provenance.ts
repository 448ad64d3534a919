import type { Knex } from 'knex';

/**
 * How each pick came in: `live`, posted through the operator's port and timed by the service, or `imported` from a file, its time a claim.
 * The uuid of a stored pick says which (docs/decisions/0026-provenance.md): version 5 is derived from an imported row, version 4 is random.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The default is stored once, not in every row, and only live picks are rewritten: most picks of a large ledger are imported.
    alter table picks add column provenance text not null default 'imported'
      constraint picks_provenance check (provenance in ('live', 'imported'));
    alter table picks disable trigger picks_append_only;
    update picks set provenance = 'live' where substr(uuid::text, 15, 1) <> '5';
    alter table picks enable always trigger picks_append_only;
    alter table picks alter column provenance drop default;
    comment on column picks.provenance is
      'live: posted through the operator''s port and timed by the service. imported: from a file, its time is a claim.';
  `);
}

/** A migration never drops columns of the ledger. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
