import { concat, utf8 } from './encoding.ts';
import { sha256 as ownSha256, type Sha256 } from './sha256.ts';

/** The Merkle tree of RFC 6962 section 2.1: its two ways of hashing, and how to let it grow. */

/** The hash of a leaf: `SHA-256(0x00 || entry)`. */
export function leafHash(entry: Uint8Array, sha256: Sha256 = ownSha256): Uint8Array {
  return sha256(concat(Uint8Array.of(0x00), entry));
}

/** The hash that stands above two subtrees: `SHA-256(0x01 || left || right)`. */
export function nodeHash(left: Uint8Array, right: Uint8Array, sha256: Sha256 = ownSha256): Uint8Array {
  return sha256(concat(Uint8Array.of(0x01), left, right));
}

/**
 * What has to be kept of a tree to go on with it: its size and the hashes of its complete subtrees, the
 * largest first. There are as many as the size has one-bits in binary.
 */
export interface Frontier {
  size: number;
  hashes: Uint8Array[];
}

export function emptyFrontier(): Frontier {
  return { size: 0, hashes: [] };
}

/**
 * Appends a leaf's hash to a frontier, in place. Costs one hash on average, and never more than the tree is
 * high.
 *
 * @returns the nodes that this leaf completed, one a level from 0 upwards: element `l` is the hash of the
 *   node at level `l` with index `floor(seq / 2^l)`, where `seq` is the leaf's own index. The first is the
 *   leaf itself.
 */
export function append(frontier: Frontier, leaf: Uint8Array, sha256: Sha256 = ownSha256): Uint8Array[] {
  const completed = [leaf];
  let node = leaf;
  // Every trailing one-bit of the size is a subtree that waits for a right half of its own height.
  for (let rest = frontier.size; rest % 2 === 1; rest = (rest - 1) / 2) {
    node = nodeHash(frontier.hashes.pop()!, node, sha256);
    completed.push(node);
  }
  frontier.hashes.push(node);
  frontier.size += 1;
  return completed;
}

/** The root of the tree that a frontier stands for; of an empty tree it is the hash of nothing. */
export function rootOf(frontier: Frontier, sha256: Sha256 = ownSha256): Uint8Array {
  return frontier.size === 0 ? sha256(utf8('')) : joinSubtrees(frontier.hashes, sha256);
}

/** The hash over a row of complete subtrees, the largest first; there must be one. */
export function joinSubtrees(hashes: readonly Uint8Array[], sha256: Sha256 = ownSha256): Uint8Array {
  return hashes.reduceRight((right, left) => nodeHash(left, right, sha256));
}
