import type { Database, Transaction } from '../platform/database.ts';
import type { Sha256 } from '../proof/sha256.ts';
import { type Node, subtrees } from '../proof/subtrees.ts';
import { append, type Frontier } from '../proof/tree.ts';

/** Reads complete subtrees of the stored tree, by `level/index`: one query for leaves, one for all that is higher. */
export async function readNodes(
  database: Database,
  nodes: readonly Node[],
): Promise<Map<string, Uint8Array>> {
  const leaves = nodes.filter(({ level }) => level === 0).map(({ index }) => index);
  const higher = nodes.filter(({ level }) => level > 0);
  // One after the other: in a transaction there is one connection for both.
  const entries: { index: number; hash: Buffer }[] = await database('ledger_entries')
    .whereIn('seq', leaves)
    .select({ index: 'seq', hash: 'leaf_hash' });
  const stored: { level: number; index: number; hash: Buffer }[] = await database('ledger_nodes')
    .whereIn(
      ['level', 'index'],
      higher.map(({ level, index }) => [level, index]),
    )
    .select('level', 'index', 'hash');
  return new Map([
    ...entries.map(({ index, hash }) => [nodeKey({ level: 0, index }), hash] as const),
    ...stored.map(({ hash, ...node }) => [nodeKey(node), hash] as const),
  ]);
}

/** A node as a text, for maps. */
export function nodeKey({ level, index }: Node): string {
  return `${level}/${index}`;
}

/** The frontier of the first `size` entries. */
export async function frontierAt(database: Database, size: number): Promise<Frontier> {
  const nodes = subtrees({ begin: 0, end: size });
  const read = await readNodes(database, nodes);
  const hashes = nodes.map((node) => {
    const hash = read.get(nodeKey(node));
    if (hash === undefined) throw new Error(`the stored tree has no node ${nodeKey(node)}`);
    return hash;
  });
  return { size, hashes };
}

/** Appends leaves to the stored tree, after the `size` entries that it has: at a cost of what is new. */
export async function growTree(
  transaction: Transaction,
  size: number,
  leaves: readonly Uint8Array[],
  sha256: Sha256,
): Promise<void> {
  const frontier = await frontierAt(transaction, size);
  const rows: { level: number; index: number; hash: string }[] = [];
  leaves.forEach((leaf, offset) => {
    append(frontier, leaf, sha256).forEach((hash, level) => {
      if (level > 0)
        rows.push({
          level,
          index: Math.floor((size + offset) / 2 ** level),
          hash: Buffer.from(hash).toString('hex'),
        });
    });
  });
  if (rows.length === 0) return;
  await transaction.raw(
    `insert into ledger_nodes (level, index, hash)
     select level, index, decode(hash, 'hex') from json_to_recordset(?) as r (level smallint, index bigint, hash text)`,
    [JSON.stringify(rows)],
  );
}
