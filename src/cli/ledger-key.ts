import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { ledgerSigner } from '../ledger/publishing/identity.ts';
import { formatVerifierKey } from '../proof/verifier-key.ts';
import type { Say, Verb } from './verb.ts';

/**
 * Generates a signing key. Prints its seed, for `LEDGER_KEY`, and its public verifier key.
 * @param origin the log's name, which is part of the verifier key
 * @throws RangeError if the name is not a valid key name
 */
export async function runLedgerKey(origin: string, say: Say): Promise<void> {
  const seed = randomBytes(32).toString('base64');
  const { key } = await ledgerSigner(origin, seed);
  say(`LEDGER_KEY=${seed}`);
  say(`verifier key: ${formatVerifierKey(key)}`);
}

/** `ledger-key`: generates a signing key. */
export const ledgerKeyVerb: Verb = (_config, say) =>
  new Command('ledger-key')
    .description('generates a signing key for the log')
    .argument('<origin>', "the log's name, such as picks.example/ledger")
    .action((origin: string) => runLedgerKey(origin, say));
