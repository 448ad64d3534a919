import { sha256 } from '../../src/ledger/sealing/log-entry.ts';
import { growTree } from '../../src/ledger/sealing/tree.ts';
import type { Database } from '../../src/platform/database.ts';
import { leafHash } from '../../src/proof/tree.ts';

/** Returns entry `seq` of those that {@link growBare} appends. */
export const bareEntry = (seq: number) => Buffer.from(String(seq));

/**
 * Appends meaningless entries and their tree.
 * @param database whose triggers of `ledger_entries` are disabled
 * @returns the new size
 */
export async function growBare(database: Database, size: number, count: number): Promise<number> {
  const leaves = Array.from({ length: count }, (_, i) => leafHash(bareEntry(size + i), sha256));
  await database.transaction(async (transaction) => {
    await transaction.raw(
      `insert into ledger_entries (seq, kind, notice_id, hash, leaf_hash, body)
       select ? + place - 1, 'notice', ? + place, decode(leaf, 'hex'), decode(leaf, 'hex'), '{}'
       from unnest(?::text[]) with ordinality as t (leaf, place)`,
      [size, size, leaves.map((leaf) => Buffer.from(leaf).toString('hex'))],
    );
    await growTree(transaction, size, leaves);
  });
  return size + count;
}
