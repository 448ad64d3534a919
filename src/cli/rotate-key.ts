import { Command } from 'commander';
import { ledgerOrigin } from '../ledger/origin.ts';
import { announceSigningKey, ledgerSigner } from '../ledger/signing-keys.ts';
import { createClock, iso } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { openDatabase } from '../platform/database.ts';
import { formatVerifierKey } from '../proof/verifier-key.ts';
import { type Say, type Verb, VerbRefused } from './verb.ts';

/**
 * Announces a new signing key in the log, signed by the current one. It takes over when the service is restarted with it.
 * @param seed of the new key, 32 bytes in base64
 * @throws VerbRefused if the seed is malformed, PublisherRefusal if the log does not accept the key
 */
export async function runRotateKey(config: Config<'sealing'>, seed: string, say: Say): Promise<void> {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(seed))
    throw new VerbRefused(
      'NEW_LEDGER_KEY must be the seed of the new key, 32 bytes in base64. Generate one with ledger-key.',
    );
  const database = openDatabase(config.database.url, { name: 'public-picks rotate-key', connections: 2 });
  try {
    const origin = await ledgerOrigin(database, { ...config.site, ...config.ledger });
    const current = await ledgerSigner(origin, config.ledger.key);
    const next = await ledgerSigner(origin, seed);
    const at = iso(createClock(config.process.clock).now());
    await announceSigningKey(database, origin, current, next, at);
    say(`Announced: ${formatVerifierKey(next.key)}`);
    say('Set LEDGER_KEY to the new seed and restart the service. Existing receipts stay valid.');
  } finally {
    await database.destroy();
  }
}

/** `rotate-key`: announces the next signing key. The seed is read from the environment, since `ps` shows arguments to other users. */
export const rotateKeyVerb: Verb = (config, say) =>
  new Command('rotate-key')
    .description("announces the log's next signing key, whose seed NEW_LEDGER_KEY holds")
    .action(() => runRotateKey(config('sealing'), process.env.NEW_LEDGER_KEY ?? '', say));
