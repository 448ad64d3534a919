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
