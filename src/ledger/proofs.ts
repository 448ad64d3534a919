import type { Database } from '../platform/database.ts';
import { consistencyRanges } from '../proof/consistency.ts';
import { inclusionRanges } from '../proof/inclusion.ts';
import { proofHashes, type Range, subtrees } from '../proof/subtrees.ts';
import { rootOf } from '../proof/tree.ts';
import { sha256 } from './sha256.ts';
import { frontierAt, nodeKey, readNodes } from './tree.ts';

/**
 * The hashes that prove entry `index` in the tree of the first `size` entries: O(log n) nodes, in two queries.
 * @throws RangeError when there is no such entry
 */
export function inclusionHashes(database: Database, index: number, size: number): Promise<Uint8Array[]> {
  return hashesOf(database, inclusionRanges(index, size));
}

/**
 * The hashes that prove that the tree of `to` entries begins with that of `from`.
 * @throws RangeError when `from` is not from 1 to `to`
 */
export function consistencyHashes(database: Database, from: number, to: number): Promise<Uint8Array[]> {
  return hashesOf(database, consistencyRanges(from, to));
}

/** The root of the tree of the first `size` entries, out of the stored nodes. */
export async function rootAt(database: Database, size: number): Promise<Uint8Array> {
  return rootOf(await frontierAt(database, size), sha256);
}

async function hashesOf(database: Database, ranges: readonly Range[]): Promise<Uint8Array[]> {
  const nodes = await readNodes(database, ranges.flatMap(subtrees));
  const read = (node: Parameters<typeof nodeKey>[0]) => {
    const hash = nodes.get(nodeKey(node));
    if (hash === undefined) throw new Error(`the stored tree has no node ${nodeKey(node)}`);
    return hash;
  };
  return proofHashes(ranges, read, sha256);
}
