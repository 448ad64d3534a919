import { concat, utf8 } from './encoding.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';

/** The Merkle tree of RFC 6962 section 2.1: its two hash functions, and appending. */

/** Returns the hash of a leaf: `SHA-256(0x00 || entry)`. */
export function leafHash(entry: Uint8Array, sha256: Sha256 = defaultSha256): Uint8Array {
  return sha256(concat(Uint8Array.of(0x00), entry));
}

/** Returns the hash of a node over two subtrees: `SHA-256(0x01 || left || right)`. */
export function nodeHash(left: Uint8Array, right: Uint8Array, sha256: Sha256 = defaultSha256): Uint8Array {
  const bytes = new Uint8Array(1 + left.length + right.length);
  bytes[0] = 0x01;
  bytes.set(left, 1);
  bytes.set(right, 1 + left.length);
  return sha256(bytes);
}

/**
 * The right edge of a tree, sufficient for appending: its size and the hashes of its complete subtrees, largest first. There is one for
 * each 1 bit of the size.
 */
export interface Frontier {
  size: number;
  hashes: Uint8Array[];
}

export function emptyFrontier(): Frontier {
  return { size: 0, hashes: [] };
}

/**
 * Appends the hash of a leaf to a frontier, in place. Computes one hash on average, and at most as many as the tree is high.
 *
 * @returns the nodes that this leaf completes, one per level from 0: element `l` is the hash of the node at level `l` with index `floor(seq
 * / 2^l)`, where `seq` is the index of the leaf. The first element is the leaf
 */
export function append(frontier: Frontier, leaf: Uint8Array, sha256: Sha256 = defaultSha256): Uint8Array[] {
  const completed = [leaf];
  let node = leaf;
  // Each trailing 1 bit of the size is a subtree without a right sibling of equal height.
  for (let rest = frontier.size; rest % 2 === 1; rest = (rest - 1) / 2) {
    node = nodeHash(frontier.hashes.pop()!, node, sha256);
    completed.push(node);
  }
  frontier.hashes.push(node);
  frontier.size += 1;
  return completed;
}

/** Returns the root of a frontier's tree. The root of the empty tree is the hash of the empty string. */
export function rootOf(frontier: Frontier, sha256: Sha256 = defaultSha256): Uint8Array {
  return frontier.size === 0 ? sha256(utf8('')) : joinSubtrees(frontier.hashes, sha256);
}

/** Returns the hash over at least one adjacent complete subtree, largest first. */
export function joinSubtrees(hashes: readonly Uint8Array[], sha256: Sha256 = defaultSha256): Uint8Array {
  return hashes.reduceRight((right, left) => nodeHash(left, right, sha256));
}

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
