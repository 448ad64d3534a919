import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import { joinSubtrees } from './tree.ts';

/**
 * A node over a complete subtree: the `2^level` leaves from `index * 2^level`. Its hash is final once the tree has all of them, so it can
 * be stored, served, and cached forever.
 */
export interface Node {
  level: number;
  index: number;
}

/** The leaves from `begin` up to but not including `end`. */
export interface Range {
  begin: number;
  end: number;
}

/** Splits a tree of at least two leaves as RFC 6962 does: at the largest power of two below its size. */
export function split({ begin, end }: Range): [left: Range, right: Range] {
  const middle = begin + 2 ** floorLog2(end - begin - 1);
  return [
    { begin, end: middle },
    { begin: middle, end },
  ];
}

/** Returns the complete subtrees that make up a range of leaves, largest first. */
export function subtrees({ begin, end }: Range): Node[] {
  const nodes: Node[] = [];
  let at = begin;
  while (at < end) {
    const level = floorLog2(end - at);
    nodes.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return nodes;
}

/**
 * Returns the hashes of a proof, one per range, computed from stored nodes.
 *
 * @param read returns the hash of a node. It is synchronous, so fetch the O(log n) nodes of `ranges.flatMap(subtrees)` first
 */
export function proofHashes(
  ranges: readonly Range[],
  read: (node: Node) => Uint8Array,
  sha256: Sha256 = defaultSha256,
): Uint8Array[] {
  return ranges.map((range) => joinSubtrees(subtrees(range).map(read), sha256));
}

/** Returns the floor of the base-2 logarithm, exact for every safe integer from 1, unlike `Math.log2`. */
function floorLog2(n: number): number {
  const high = Math.floor(n / 2 ** 32);
  return high > 0 ? 63 - Math.clz32(high) : 31 - Math.clz32(n);
}
