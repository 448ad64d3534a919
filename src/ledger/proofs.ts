import type { Database } from '../platform/database.ts';
import { consistencyRanges } from '../proof/consistency.ts';
import { inclusionRanges } from '../proof/inclusion.ts';
import { proofHashes, type Range, subtrees } from '../proof/subtrees.ts';
import { rootOf } from '../proof/tree.ts';
import { sha256 } from './sha256.ts';
import { readNodes } from './tree.ts';

/**
 * The hashes that prove entry `index` in the tree of the first `size` entries, from the hashes of O(log n) tiles, in one query.
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
  const [root] = await rootsAt(database, [size]);
  return root!;
}

/** {@link rootAt} of several sizes, in one query. */
export async function rootsAt(database: Database, sizes: readonly number[]): Promise<Uint8Array[]> {
  const nodes = sizes.map((size) => subtrees({ begin: 0, end: size }));
  const read = await readNodes(database, nodes.flat());
  return sizes.map((size, index) => rootOf({ size, hashes: nodes[index]!.map(read) }, sha256));
}

async function hashesOf(database: Database, ranges: readonly Range[]): Promise<Uint8Array[]> {
  return proofHashes(ranges, await readNodes(database, ranges.flatMap(subtrees)), sha256);
}
