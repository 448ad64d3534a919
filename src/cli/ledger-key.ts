import { randomBytes } from 'node:crypto';
import { ledgerSigner } from '../ledger/signing-keys.ts';
import { formatVerifierKey } from '../proof/verifier-key.ts';

/**
 * Makes a signing key: says its seed, for `LEDGER_KEY`, and its public key, for those who verify.
 * @param origin the log's name, which the public key holds
 * @throws RangeError when the name is not one for a key
 */
export async function runLedgerKey(origin: string, say: (line: string) => void): Promise<void> {
  const seed = randomBytes(32).toString('base64');
  const { key } = await ledgerSigner(origin, seed);
  say(`LEDGER_KEY=${seed}`);
  say(`verifier key: ${formatVerifierKey(key)}`);
}
