import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import {
  announceSigningKey,
  ledgerOrigin,
  ledgerSigner,
  openSigner,
  type SigningConfig,
} from '../ledger/publishing/identity.ts';
import { createClock, iso } from '../platform/clock.ts';
import { signerAddress } from '../platform/config/kinds.ts';
import { formatVerifierKey } from '../proof/verifier-key.ts';
import { onDatabase } from './session.ts';
import { type Verb, VerbRefused } from './verb.ts';

/**
 * `rotate-key`: announces the next signing key in the log, signed by the current one. The service uses it once restarted with it. The key is
 * read from the environment, because `ps` shows arguments to other users. With `NEW_LEDGER_SIGNER`, in the form of `LEDGER_SIGNER`, the new
 * key is in another process.
 */
export const rotateKeyVerb: Verb = (config, say) =>
  new Command('rotate-key')
    .description("announces the log's next signing key: the seed NEW_LEDGER_KEY, or NEW_LEDGER_SIGNER")
    .action(() => {
      const { database: settings, ledger, process, site } = config('sealing');
      const given = newKey();
      if (given.signer === undefined && !/^[A-Za-z0-9+/]{43}=$/.test(given.key ?? ''))
        throw new VerbRefused(
          'NEW_LEDGER_KEY must be the seed of the new key, 32 bytes in base64. Generate one with ledger-key, or set NEW_LEDGER_SIGNER.',
        );
      return onDatabase(settings.url, 'rotate-key', async (database) => {
        const origin = await ledgerOrigin(database, { ...site, ...ledger });
        const current = await openSigner(origin, ledger);
        const next = await openSigner(origin, given);
        await announceSigningKey(database, origin, current, next, iso(createClock(process.clock).now()));
        say(`Announced: ${formatVerifierKey(next.key)}`);
        const name = given.signer === undefined ? 'LEDGER_KEY' : 'LEDGER_SIGNER';
        say(`Set ${name} to the new one and restart the service. Existing receipts stay valid.`);
      });
    });

function newKey(): SigningConfig {
  const { NEW_LEDGER_KEY: key, NEW_LEDGER_SIGNER: given } = process.env;
  if (given === undefined || given.trim() === '') return { key };
  try {
    return { signer: signerAddress(given.trim()) };
  } catch (error) {
    throw new VerbRefused(`NEW_LEDGER_SIGNER ${(error as Error).message}.`);
  }
}

/** Prints its seed, for `LEDGER_KEY`, and its public verifier key, which names the log. */
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
