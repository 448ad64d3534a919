import { ExpectedError } from '../../../platform/expected-error.ts';
import { type Checked, faultsText } from '../../../platform/schema.ts';
import { verify } from '../../../proof/ed25519.ts';
import type { Signer } from '../../../proof/signed-note.ts';
import { ED25519, verifierKey } from '../../../proof/verifier-key.ts';
import { exchange } from './exchange.ts';
import { checkFailure, checkPublicKey, checkSignature, type SignerRequest } from './protocol.ts';

/** Timeout of a request, in ms. */
const timeoutMs = 3_000;

/** The signer is unavailable or its response is invalid. The message is a sentence without addresses. */
export class SignerError extends ExpectedError {
  override name = 'SignerError';
}

/** Public keys reported by signers, by address. */
const publicKeys = new Map<string, Uint8Array>();

/**
 * Opens a signer in another process (`LEDGER_SIGNER`, docs/signer.md). Verifies each signature before use.
 * @param name of the key: the log's origin
 * @throws SignerError; so does `sign`
 */
export async function remoteSigner(name: string, address: string): Promise<Signer> {
  let publicKey = publicKeys.get(address);
  if (publicKey === undefined) {
    const answer = await ask(address, { request: 'public-key' }, checkPublicKey);
    publicKey = Buffer.from(answer.publicKey, 'base64');
    publicKeys.set(address, publicKey);
  }
  const known = publicKey;
  return {
    key: verifierKey(name, ED25519, known),
    async sign(message) {
      const request = { request: 'sign', message: Buffer.from(message).toString('base64') } as const;
      const answer = await ask(address, request, checkSignature);
      const signature = Buffer.from(answer.signature, 'base64');
      if (await verify(known, message, signature)) return signature;
      // A restarted signer can have another key, so the next request reads it again.
      publicKeys.delete(address);
      throw new SignerError(`The signer's signature does not verify under the public key that it reported.`);
    },
  };
}

async function ask<T>(
  address: string,
  request: SignerRequest,
  check: (value: unknown) => Checked<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  let line: string;
  try {
    line = await exchange(address, JSON.stringify(request), signal);
  } catch (error) {
    publicKeys.delete(address);
    throw new SignerError(
      signal.aborted
        ? `The signer did not answer within ${timeoutMs / 1000} seconds.`
        : `The signer is unavailable (${reasonOf(error)}).`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new SignerError('The signer did not answer with JSON.');
  }
  const refused = checkFailure(value);
  if (refused.ok) throw new SignerError(`The signer refused: ${refused.value.error}`);
  const checked = check(value);
  if (!checked.ok) throw new SignerError(`The signer's answer is invalid: ${faultsText(checked.faults)}.`);
  return checked.value;
}

function reasonOf(error: unknown): string {
  const { code, cause, message } = error as { code?: string; cause?: { code?: string }; message: string };
  return code ?? cause?.code ?? message;
}
