import { equalBytes } from './encoding.ts';
import { sha256 as ownSha256, type Sha256 } from './sha256.ts';
import { type Range, split } from './subtrees.ts';
import { nodeHash } from './tree.ts';

/** That leaf `index` is part of a tree of `size` leaves. */
export interface InclusionProof {
  index: number;
  size: number;
  /** The hashes of the subtrees beside the way from the leaf to the root, the leaf's neighbour first. */
  hashes: readonly Uint8Array[];
}

/**
 * Which ranges of leaves an inclusion proof has the hashes of, in the proof's order: RFC 6962 section 2.1.1.
 *
 * @throws RangeError when there is no such leaf
 */
export function inclusionRanges(index: number, size: number): Range[] {
  if (!isLeafOf(index, size)) throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  const siblings: Range[] = [];
  let tree: Range = { begin: 0, end: size };
  while (tree.end - tree.begin > 1) {
    const [left, right] = split(tree);
    siblings.unshift(index < right.begin ? right : left);
    tree = index < right.begin ? left : right;
  }
  return siblings;
}

/**
 * The root that a leaf's hash leads to by an inclusion proof; null when the proof is not one for this leaf
 * and size, whatever root it would lead to.
 */
export function rootByInclusion(
  leaf: Uint8Array,
  { index, size, hashes }: InclusionProof,
  sha256: Sha256 = ownSha256,
): Uint8Array | null {
  if (!isLeafOf(index, size)) return null;
  const siblings = inclusionRanges(index, size);
  if (hashes.length !== siblings.length || [leaf, ...hashes].some((hash) => hash.length !== 32)) return null;
  return siblings.reduce(
    (hash, sibling, i) =>
      sibling.begin > index ? nodeHash(hash, hashes[i]!, sha256) : nodeHash(hashes[i]!, hash, sha256),
    leaf,
  );
}

/** Whether a leaf's hash is in the tree with this root, by an inclusion proof. */
export function verifyInclusion(
  leaf: Uint8Array,
  proof: InclusionProof,
  root: Uint8Array,
  sha256: Sha256 = ownSha256,
): boolean {
  const reached = rootByInclusion(leaf, proof, sha256);
  return reached !== null && equalBytes(reached, root);
}

function isLeafOf(index: number, size: number): boolean {
  return Number.isSafeInteger(index) && Number.isSafeInteger(size) && 0 <= index && index < size;
}
