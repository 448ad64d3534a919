import { base64, concat, fromBase64, hex, utf8 } from './encoding.ts';
import { sha256 as ownSha256, type Sha256 } from './sha256.ts';

/**
 * Signature types of C2SP signed-note: a plain Ed25519 signature, and a witness's cosignature with its time.
 */
export const ED25519 = 0x01;
export const COSIGNATURE = 0x04;

export type SignatureType = typeof ED25519 | typeof COSIGNATURE;

/**
 * A public key with a name, as whoever verifies must have it from a source of their own. Its text is
 * `<name>+<id>+<base64 of type and key>`.
 */
export interface VerifierKey {
  name: string;
  /** Eight hex digits that tell signature lines apart; a hint, never a proof. */
  id: string;
  type: SignatureType;
  /** 32 bytes, as RFC 8032 encodes them. */
  publicKey: Uint8Array;
}

/** Key names must not be empty nor have white space, control characters or a plus sign (C2SP signed-note). */
export function isKeyName(name: string): boolean {
  return name.isWellFormed() && /^[^\p{White_Space}\p{Cc}+]+$/u.test(name);
}

/** @throws RangeError when the name is not one for a key, or the public key has not 32 bytes */
export function verifierKey(
  name: string,
  type: SignatureType,
  publicKey: Uint8Array,
  sha256: Sha256 = ownSha256,
): VerifierKey {
  if (!isKeyName(name)) throw new RangeError(`${JSON.stringify(name)} cannot be the name of a key`);
  if (publicKey.length !== 32) throw new RangeError('an Ed25519 public key has 32 bytes');
  const digest = sha256(concat(utf8(`${name}\n`), Uint8Array.of(type), publicKey));
  return { name, id: hex(digest.subarray(0, 4)), type, publicKey };
}

export function formatVerifierKey({ name, id, type, publicKey }: VerifierKey): string {
  return `${name}+${id}+${base64(concat(Uint8Array.of(type), publicKey))}`;
}

/**
 * @throws SyntaxError when the text is not a verifier key of a known type, or its id is not that of its key
 */
export function parseVerifierKey(text: string, sha256: Sha256 = ownSha256): VerifierKey {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  if (!isKeyName(name)) throw new SyntaxError('a verifier key is written <name>+<id>+<base64>');
  const [type, ...bytes] = fromBase64(encoded);
  if (type !== ED25519 && type !== COSIGNATURE)
    throw new SyntaxError('the type of the verifier key is not known');
  if (bytes.length !== 32) throw new SyntaxError('the verifier key has not 32 bytes');
  const key = verifierKey(name, type, Uint8Array.from(bytes), sha256);
  if (key.id !== id) throw new SyntaxError(`the verifier key says that its id is ${id}, but it is ${key.id}`);
  return key;
}
