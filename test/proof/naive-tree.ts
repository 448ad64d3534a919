import { createHash } from 'node:crypto';

/**
 * RFC 6962 section 2.1, written down as defined there: recursive, over whole lists of entries, and slow. It shares no code with the
 * implementation under test.
 */
const digest = (...parts: (Uint8Array | number[])[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(Uint8Array.from(part));
  return hash.digest();
};

function largestPowerOfTwoBelow(n: number): number {
  let k = 1;
  while (2 * k < n) k *= 2;
  return k;
}

export function naiveRoot(entries: readonly Uint8Array[]): Buffer {
  if (entries.length === 0) return digest();
  if (entries.length === 1) return digest([0], entries[0]!);
  const k = largestPowerOfTwoBelow(entries.length);
  return digest([1], naiveRoot(entries.slice(0, k)), naiveRoot(entries.slice(k)));
}

/** PATH(m, D[n]). */
export function naiveInclusion(m: number, entries: readonly Uint8Array[]): Buffer[] {
  if (entries.length === 1) return [];
  const k = largestPowerOfTwoBelow(entries.length);
  const [left, right] = [entries.slice(0, k), entries.slice(k)];
  return m < k
    ? [...naiveInclusion(m, left), naiveRoot(right)]
    : [...naiveInclusion(m - k, right), naiveRoot(left)];
}

/** PROOF(m, D[n]), which is SUBPROOF(m, D[n], true). */
export function naiveConsistency(m: number, entries: readonly Uint8Array[], whole = true): Buffer[] {
  if (m === entries.length) return whole ? [] : [naiveRoot(entries)];
  const k = largestPowerOfTwoBelow(entries.length);
  const [left, right] = [entries.slice(0, k), entries.slice(k)];
  return m <= k
    ? [...naiveConsistency(m, left, whole), naiveRoot(right)]
    : [...naiveConsistency(m - k, right, false), naiveRoot(left)];
}
