import { equalBytes } from './encoding.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import { nodeHash, type Range, split } from './tree.ts';

/** Proves that a tree of `to` leaves extends one of `from` leaves: no older leaf was changed or removed. */
export interface ConsistencyProof {
  from: number;
  to: number;
  hashes: readonly Uint8Array[];
}

/**
 * Returns the ranges of leaves whose hashes make up a consistency proof, in the order of the proof (RFC 6962 section 2.1.2). Descends from
 * the root of the new tree to the subtree whose last leaf is also the last of the old tree. The proof contains the hash of that subtree,
 * unless it is the whole old tree, whose root the verifier knows. The hashes of the siblings on that path follow, from the bottom up.
 *
 * @throws RangeError unless 1 <= `from` <= `to`. RFC 6962 defines no proof from an empty tree, which every tree extends
 */
export function consistencyRanges(from: number, to: number): Range[] {
  if (!isPrefix(from, to)) throw new RangeError(`there is no consistency proof from ${from} to ${to} leaves`);
  const siblings: Range[] = [];
  let tree: Range = { begin: 0, end: to };
  while (tree.end !== from) {
    const [left, right] = split(tree);
    siblings.unshift(from <= right.begin ? right : left);
    tree = from <= right.begin ? left : right;
  }
  return tree.begin === 0 ? siblings : [tree, ...siblings];
}

export function verifyConsistency(
  oldRoot: Uint8Array,
  newRoot: Uint8Array,
  { from, to, hashes }: ConsistencyProof,
  sha256: Sha256 = defaultSha256,
): boolean {
  if (!isPrefix(from, to)) return false;
  const ranges = consistencyRanges(from, to);
  if (hashes.length !== ranges.length || [oldRoot, newRoot, ...hashes].some((hash) => hash.length !== 32))
    return false;

  const startsWithSubtree = ranges[0]?.end === from;
  let old = startsWithSubtree ? hashes[0]! : oldRoot;
  let current = old;
  for (let i = startsWithSubtree ? 1 : 0; i < ranges.length; i += 1) {
    const sibling = hashes[i]!;
    // Siblings to the right of the old tree's end are only in the new tree; those to the left are in both.
    const added = ranges[i]!.begin >= from;
    if (!added) old = nodeHash(sibling, old, sha256);
    current = added ? nodeHash(current, sibling, sha256) : nodeHash(sibling, current, sha256);
  }
  return equalBytes(old, oldRoot) && equalBytes(current, newRoot);
}

function isPrefix(from: number, to: number): boolean {
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && 1 <= from && from <= to;
}
