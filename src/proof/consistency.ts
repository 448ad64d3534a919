import { equalBytes } from './encoding.ts';
import { sha256 as ownSha256, type Sha256 } from './sha256.ts';
import { type Range, split } from './subtrees.ts';
import { nodeHash } from './tree.ts';

/**
 * That a tree of `to` leaves begins with all of an older tree of `from` leaves: nothing was changed or taken
 * out.
 */
export interface ConsistencyProof {
  from: number;
  to: number;
  hashes: readonly Uint8Array[];
}

/**
 * Which ranges of leaves a consistency proof has the hashes of, in the proof's order: RFC 6962 section 2.1.2.
 * The way down leads to the subtree in which the old tree ends. That subtree comes first, unless it is the
 * whole old tree, whose root the verifier has; then come the subtrees beside the way, upwards.
 *
 * @throws RangeError when `from` is not from 1 to `to`. RFC 6962 knows no proof from an empty tree: nothing
 *   needs one.
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

/** Whether the tree with `newRoot` begins with the one with `oldRoot`, by a consistency proof. */
export function verifyConsistency(
  oldRoot: Uint8Array,
  newRoot: Uint8Array,
  { from, to, hashes }: ConsistencyProof,
  sha256: Sha256 = ownSha256,
): boolean {
  if (!isPrefix(from, to)) return false;
  const ranges = consistencyRanges(from, to);
  if (hashes.length !== ranges.length || [oldRoot, newRoot, ...hashes].some((hash) => hash.length !== 32))
    return false;

  const seeded = ranges[0]?.end === from;
  let old = seeded ? hashes[0]! : oldRoot;
  let grown = old;
  for (let i = seeded ? 1 : 0; i < ranges.length; i += 1) {
    const sibling = hashes[i]!;
    // What lies right of the old tree's end belongs to the new tree only; what lies left, to both.
    const added = ranges[i]!.begin >= from;
    if (!added) old = nodeHash(sibling, old, sha256);
    grown = added ? nodeHash(grown, sibling, sha256) : nodeHash(sibling, grown, sha256);
  }
  return equalBytes(old, oldRoot) && equalBytes(grown, newRoot);
}

function isPrefix(from: number, to: number): boolean {
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && 1 <= from && from <= to;
}
