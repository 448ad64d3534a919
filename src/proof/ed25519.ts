import { concat, fromBase64, fromHex } from './encoding.ts';

/** Signs bytes; the signature has 64 bytes. */
export type Sign = (message: Uint8Array) => Promise<Uint8Array>;

/** What stands before the seed in the PKCS #8 form of an Ed25519 private key (RFC 8410 section 7). */
const PKCS8_PREFIX = fromHex('302e020100300506032b657004220420');

/**
 * The Ed25519 key pair (RFC 8032) that a seed of 32 bytes stands for, by WebCrypto.
 *
 * @throws RangeError when the seed has not 32 bytes
 */
export async function keyPair(seed: Uint8Array): Promise<{ publicKey: Uint8Array; sign: Sign }> {
  if (seed.length !== 32) throw new RangeError('an Ed25519 seed has 32 bytes');
  const pkcs8 = buffer(concat(PKCS8_PREFIX, seed));
  const key = await subtle().importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
  const { x = '' } = await subtle().exportKey('jwk', key);
  return {
    publicKey: fromBase64(`${x.replaceAll('-', '+').replaceAll('_', '/')}=`),
    sign: async (message) => new Uint8Array(await subtle().sign('Ed25519', key, buffer(message))),
  };
}

/**
 * Whether a signature of a message is this public key's. A key or signature of impossible form is a plain no.
 */
export async function verify(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  try {
    const key = await subtle().importKey('raw', buffer(publicKey), 'Ed25519', false, ['verify']);
    return await subtle().verify('Ed25519', key, buffer(signature), buffer(message));
  } catch (error) {
    // Engines differ in which impossible inputs they answer with an error of theirs instead of a no.
    if (error instanceof DOMException && error.name !== 'NotSupportedError') return false;
    throw error;
  }
}

/** @throws Error in a browser on a page that came without encryption */
function subtle(): typeof crypto.subtle {
  if (crypto.subtle === undefined)
    throw new Error('signatures need WebCrypto, which browsers offer to https pages only');
  return crypto.subtle;
}

/** A copy that shares no memory with anything, as WebCrypto's types ask for. */
function buffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
