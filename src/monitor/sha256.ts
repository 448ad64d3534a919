import { createHash } from 'node:crypto';

/** Much faster than the portable one. */
export const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
