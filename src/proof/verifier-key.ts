import { base64, concat, fromBase64, hex, utf8 } from './encoding.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';

/** Signature types of C2SP signed-note: a plain Ed25519 signature, and a witness's timestamped cosignature. */
export const ED25519 = 0x01;
export const COSIGNATURE = 0x04;

export type SignatureType = typeof ED25519 | typeof COSIGNATURE;

/** A named public key. Verifiers must get it from a trusted source. Its text form is `<name>+<id>+<base64 of type and key>`. */
export interface VerifierKey {
  name: string;
  /** Key ID, eight hex digits. It selects the key for a signature line, but is not unique. */
  id: string;
  type: SignatureType;
  /** 32 bytes, as RFC 8032 encodes them. */
  publicKey: Uint8Array;
}

/** Reports whether a key name is valid: not empty, without white space, control characters, or plus signs (C2SP signed-note). */
export function isKeyName(name: string): boolean {
  return name.isWellFormed() && /^[^\p{White_Space}\p{Cc}+]+$/u.test(name);
}

/** Returns a verifier key with its id. @throws RangeError if the name is not a valid key name, or the public key is not 32 bytes long */
export function verifierKey(
  name: string,
  type: SignatureType,
  publicKey: Uint8Array,
  sha256: Sha256 = defaultSha256,
): VerifierKey {
  if (!isKeyName(name)) throw new RangeError(`${JSON.stringify(name)} is not a valid key name`);
  if (publicKey.length !== 32) throw new RangeError('an Ed25519 public key is 32 bytes long');
  const digest = sha256(concat(utf8(`${name}\n`), Uint8Array.of(type), publicKey));
  return { name, id: hex(digest.subarray(0, 4)), type, publicKey };
}

export function formatVerifierKey({ name, id, type, publicKey }: VerifierKey): string {
  return `${name}+${id}+${base64(concat(Uint8Array.of(type), publicKey))}`;
}

/** Parses a verifier key. @throws SyntaxError if its type is unknown, or its id does not match the key */
export function parseVerifierKey(text: string, sha256: Sha256 = defaultSha256): VerifierKey {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  if (!isKeyName(name)) throw new SyntaxError('a verifier key has the form <name>+<id>+<base64>');
  const [type, ...bytes] = fromBase64(encoded);
  if (type !== ED25519 && type !== COSIGNATURE)
    throw new SyntaxError('the type of the verifier key is unknown');
  if (bytes.length !== 32) throw new SyntaxError('the verifier key is not 32 bytes long');
  const key = verifierKey(name, type, Uint8Array.from(bytes), sha256);
  if (key.id !== id) throw new SyntaxError(`the id of the verifier key is ${id}, but must be ${key.id}`);
  return key;
}
