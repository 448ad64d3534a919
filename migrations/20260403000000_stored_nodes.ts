import type { Knex } from 'knex';

/** Nodes within a tile are computed (docs/decisions/0057-stored-nodes.md); `compact-tree` drops those that are stored already. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    comment on table ledger_nodes is
      'Nodes of the Merkle tree over complete subtrees: the roots of full tiles, at levels 8, 16 and so on. A log that was begun before 0057-stored-nodes has all levels from 1 up until compact-tree is run. Append-only.';
  `);
}

/** A comment that is no longer true helps nobody. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
