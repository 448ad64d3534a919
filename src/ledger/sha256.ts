import { hash } from 'node:crypto';

/** SHA-256 by Node's own library, for the proofs' functions: much faster than the portable one. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}
