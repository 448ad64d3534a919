import { sha256 as ownSha256, type Sha256 } from './sha256.ts';
import { joinSubtrees } from './tree.ts';

/**
 * A complete subtree: node `index` at `level` covers the `2^level` leaves from `index * 2^level` on. Its hash
 * is final as soon as its last leaf is there, so it can be stored, served and cached for ever.
 */
export interface Node {
  level: number;
  index: number;
}

/** The leaves from `begin` up to and without `end`, one side of a split of RFC 6962. */
export interface Range {
  begin: number;
  end: number;
}

/**
 * Where RFC 6962 splits a tree of two leaves or more: after the largest power of two smaller than its size.
 */
export function split({ begin, end }: Range): [left: Range, right: Range] {
  const middle = begin + 2 ** floorLog2(end - begin - 1);
  return [
    { begin, end: middle },
    { begin: middle, end },
  ];
}

/** The complete subtrees that a range of leaves consists of, the largest first. */
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
 * The hashes that a proof consists of, one a range, given a way to read a node's hash. Reading is
 * synchronous: a service that keeps its nodes elsewhere first fetches what `ranges.flatMap(subtrees)` names,
 * O(log n) of them.
 */
export function proofHashes(
  ranges: readonly Range[],
  read: (node: Node) => Uint8Array,
  sha256: Sha256 = ownSha256,
): Uint8Array[] {
  return ranges.map((range) => joinSubtrees(subtrees(range).map(read), sha256));
}

/** Exact for every safe integer from 1, which `Math.log2` is not. */
function floorLog2(n: number): number {
  const high = Math.floor(n / 2 ** 32);
  return high > 0 ? 63 - Math.clz32(high) : 31 - Math.clz32(n);
}
