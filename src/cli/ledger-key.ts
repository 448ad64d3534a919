import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { ledgerSigner } from '../ledger/signing-keys.ts';
import { formatVerifierKey } from '../proof/verifier-key.ts';
import type { Say, Verb } from './verb.ts';

/**
 * Makes a signing key: says its seed, for `LEDGER_KEY`, and its public key, for those who verify.
 * @param origin the log's name, which the public key holds
 * @throws RangeError when the name is not one for a key
 */
export async function runLedgerKey(origin: string, say: Say): Promise<void> {
  const seed = randomBytes(32).toString('base64');
  const { key } = await ledgerSigner(origin, seed);
  say(`LEDGER_KEY=${seed}`);
  say(`verifier key: ${formatVerifierKey(key)}`);
}

/** `ledger-key`: makes a signing key. */
export const ledgerKeyVerb: Verb = (_config, say) =>
  new Command('ledger-key')
    .description('makes a signing key for the log')
    .argument('<origin>', "the log's name, such as picks.example/ledger")
    .action((origin: string) => runLedgerKey(origin, say));
