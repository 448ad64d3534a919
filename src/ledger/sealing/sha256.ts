import { hash } from 'node:crypto';

/**
 * SHA-256 by Node's own library, for the proofs' functions: much faster than the portable one. By way of a text it takes half the time of
 * `hash(…, 'buffer')`, which allocates outside the heap.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  return Buffer.from(hash('sha256', bytes, 'binary'), 'latin1');
}
