import type { Knex } from 'knex';

/** The log's Merkle tree and its signed checkpoints: append-only, as the log. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Complete subtrees from level 1 up; level 0 is the leaf hashes of the entries.
    create table ledger_nodes (
      level smallint not null check (level > 0),
      index bigint not null check (index >= 0),
      hash bytea not null check (octet_length(hash) = 32),
      primary key (level, index)
    );
    create table checkpoints (
      size bigint primary key check (size > 0),
      root bytea not null check (octet_length(root) = 32),
      note text not null,
      signed_at timestamptz not null
    );
    -- The log's name, set at the first start.
    create table ledger_origin (
      id int primary key check (id = 1),
      origin text not null
    );
  `);
  for (const table of ['ledger_nodes', 'checkpoints', 'ledger_origin']) {
    await knex.raw(`
      create trigger ${table}_append_only before update or delete or truncate on ${table}
        for each statement execute function refuse_change();
      alter table ${table} enable always trigger ${table}_append_only;
      grant select, insert on ${table} to public_picks_service;
    `);
  }
}

/** A migration never drops tables of the ledger. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
