import { Command } from 'commander';
import {
  announceSigningKey,
  ledgerOrigin,
  openSigner,
  type SigningConfig,
} from '../ledger/publishing/identity.ts';
import { createClock, iso } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { signerAddress } from '../platform/config/kinds.ts';
import { openDatabase } from '../platform/database.ts';
import { formatVerifierKey } from '../proof/verifier-key.ts';
import { type Say, type Verb, VerbRefused } from './verb.ts';

/**
 * Announces a new signing key in the log, signed by the current one. The service uses it once restarted with it.
 * @param given the seed of the new key, or its signer
 * @throws VerbRefused if the seed is malformed; PublisherRefusal if the log does not accept the key
 */
export async function runRotateKey(config: Config<'sealing'>, given: SigningConfig, say: Say): Promise<void> {
  if (given.signer === undefined && !/^[A-Za-z0-9+/]{43}=$/.test(given.key ?? ''))
    throw new VerbRefused(
      'NEW_LEDGER_KEY must be the seed of the new key, 32 bytes in base64. Generate one with ledger-key, or set NEW_LEDGER_SIGNER.',
    );
  const database = openDatabase(config.database.url, { name: 'public-picks rotate-key', connections: 2 });
  try {
    const origin = await ledgerOrigin(database, { ...config.site, ...config.ledger });
    const current = await openSigner(origin, config.ledger);
    const next = await openSigner(origin, given);
    const at = iso(createClock(config.process.clock).now());
    await announceSigningKey(database, origin, current, next, at);
    say(`Announced: ${formatVerifierKey(next.key)}`);
    const name = given.signer === undefined ? 'LEDGER_KEY' : 'LEDGER_SIGNER';
    say(`Set ${name} to the new one and restart the service. Existing receipts stay valid.`);
  } finally {
    await database.destroy();
  }
}

/**
 * `rotate-key`: announces the next signing key. The key is read from the environment, because `ps` shows arguments to other users. With
 * `NEW_LEDGER_SIGNER`, in the form of `LEDGER_SIGNER`, the new key is in another process.
 */
export const rotateKeyVerb: Verb = (config, say) =>
  new Command('rotate-key')
    .description("announces the log's next signing key: the seed NEW_LEDGER_KEY, or NEW_LEDGER_SIGNER")
    .action(() => runRotateKey(config('sealing'), newKey(), say));

function newKey(): SigningConfig {
  const { NEW_LEDGER_KEY: key, NEW_LEDGER_SIGNER: given } = process.env;
  if (given === undefined || given.trim() === '') return { key };
  try {
    return { signer: signerAddress(given.trim()) };
  } catch (error) {
    throw new VerbRefused(`NEW_LEDGER_SIGNER ${(error as Error).message}.`);
  }
}
