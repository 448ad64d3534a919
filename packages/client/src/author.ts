import {
  type AuthorKey,
  type AuthorName,
  pickIntent,
  type SignableBet,
  signedPick,
} from '../../../src/proof/author-statements.ts';
import { idOfKey, keyText } from '../../../src/proof/capper-key.ts';
import { keyPair } from '../../../src/proof/ed25519.ts';
import { base64, fromBase64 } from '../../../src/proof/encoding.ts';
import type { Calls } from './api.ts';

/** A capper who signs: the capper's name, the log's name, and the key. */
export type Author = AuthorName & AuthorKey;

/** Opens a key. @param seed the private key, 32 bytes in base64 */
export async function authorKey(seed: string): Promise<AuthorKey> {
  const { publicKey, sign } = await keyPair(fromBase64(seed));
  const key = keyText(publicKey);
  return { id: idOfKey(key), key, sign: async (message) => base64(await sign(message)) };
}

/** Signs a pick and posts it. @throws ApiError if the service refuses it */
export async function postPick(calls: Calls, author: Author, bet: SignableBet) {
  return calls.postSignedPick({ body: await signedPick(author, pickIntent(author, bet)) });
}
