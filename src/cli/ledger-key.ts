import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { ledgerSigner } from '../ledger/publishing/identity.ts';
import { formatVerifierKey } from '../proof/verifier-key.ts';
import type { Verb } from './verb.ts';

/** `ledger-key`: generates a signing key. Prints its seed, for `LEDGER_KEY`, and its public verifier key, which names the log. */
export const ledgerKeyVerb: Verb = (_config, say) =>
  new Command('ledger-key')
    .description('generates a signing key for the log')
    .argument('<origin>', "the log's name, such as picks.example/ledger")
    .action(async (origin: string) => {
      const seed = randomBytes(32).toString('base64');
      const { key } = await ledgerSigner(origin, seed);
      say(`LEDGER_KEY=${seed}`);
      say(`verifier key: ${formatVerifierKey(key)}`);
    });
