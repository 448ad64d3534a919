import { equalBytes } from './encoding.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import { nodeHash, type Range, split } from './tree.ts';

/** Proves that a leaf is at `index` in a tree of `size` leaves. */
export interface InclusionProof {
  index: number;
  size: number;
  /** Hashes of the siblings on the path from the leaf to the root, the leaf's own sibling first. */
  hashes: readonly Uint8Array[];
}

/**
 * Returns the ranges of leaves whose hashes make up an inclusion proof, in the order of the proof (RFC 6962 section 2.1.1).
 *
 * @throws RangeError if the tree has no such leaf
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

/** @returns null if the proof does not have the right number of hashes for this index and size */
export function rootByInclusion(
  leaf: Uint8Array,
  { index, size, hashes }: InclusionProof,
  sha256: Sha256 = defaultSha256,
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

export function verifyInclusion(
  leaf: Uint8Array,
  proof: InclusionProof,
  root: Uint8Array,
  sha256: Sha256 = defaultSha256,
): boolean {
  const computed = rootByInclusion(leaf, proof, sha256);
  return computed !== null && equalBytes(computed, root);
}

function isLeafOf(index: number, size: number): boolean {
  return Number.isSafeInteger(index) && Number.isSafeInteger(size) && 0 <= index && index < size;
}
