import { concat, fromBase64, fromHex } from './encoding.ts';

/** Signs a message; the signature is 64 bytes long. */
export type Sign = (message: Uint8Array) => Promise<Uint8Array>;

/** DER prefix of an Ed25519 private key in PKCS #8, before the seed (RFC 8410 section 7). */
const PKCS8_PREFIX = fromHex('302e020100300506032b657004220420');

/** @throws RangeError if the seed is not 32 bytes long */
export async function keyPair(seed: Uint8Array): Promise<{ publicKey: Uint8Array; sign: Sign }> {
  if (seed.length !== 32) throw new RangeError('an Ed25519 seed is 32 bytes long');
  const pkcs8 = buffer(concat(PKCS8_PREFIX, seed));
  const key = await subtle().importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
  const { x = '' } = await subtle().exportKey('jwk', key);
  return {
    publicKey: fromBase64(`${x.replaceAll('-', '+').replaceAll('_', '/')}=`),
    sign: async (message) => new Uint8Array(await subtle().sign('Ed25519', key, buffer(message))),
  };
}

/** Reports whether the signature is valid. A malformed key or signature is invalid, not an error. */
export async function verify(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  try {
    const key = await subtle().importKey('raw', buffer(publicKey), 'Ed25519', false, ['verify']);
    return await subtle().verify('Ed25519', key, buffer(signature), buffer(message));
  } catch (error) {
    // For malformed input, some engines throw where others return false.
    if (error instanceof DOMException && error.name !== 'NotSupportedError') return false;
    throw error;
  }
}

/** Returns WebCrypto. @throws Error in a browser on a page without a secure context */
function subtle(): typeof crypto.subtle {
  if (crypto.subtle === undefined)
    throw new Error('signatures need WebCrypto, which browsers provide on https pages only');
  return crypto.subtle;
}

/** Copies the bytes into an unshared buffer, which the types of WebCrypto require. */
function buffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
