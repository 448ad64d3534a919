import { sha256 } from '../../src/ledger/sha256.ts';
import { growTree } from '../../src/ledger/tree.ts';
import type { Database } from '../../src/platform/database.ts';
import { append, emptyFrontier, leafHash } from '../../src/proof/tree.ts';

/** Entry `seq` of those that {@link growBare} makes. */
export const bareEntry = (seq: number) => Buffer.from(String(seq));

/**
 * Appends entries that stand for nothing, and their tree.
 * @param database in which the triggers of `ledger_entries` are off
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

/** Stores all nodes of the tree from level 1 up, as earlier releases did. */
export async function storeAllNodes(database: Database): Promise<void> {
  const leaves: Buffer[] = await database('ledger_entries').orderBy('seq').pluck('leaf_hash');
  const frontier = emptyFrontier();
  const rows = leaves.flatMap((leaf, seq) =>
    append(frontier, leaf, sha256)
      .map((hash, level) => ({ level, index: Math.floor(seq / 2 ** level), hash: Buffer.from(hash) }))
      .slice(1),
  );
  for (let at = 0; at < rows.length; at += 5_000)
    await database('ledger_nodes')
      .insert(rows.slice(at, at + 5_000))
      .onConflict()
      .ignore();
}
