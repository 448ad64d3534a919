import { keysWithFirst, ledgerOrigin, ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { storeCheckpoint } from '../../src/ledger/publishing/signed-checkpoints.ts';
import { rootAt } from '../../src/ledger/sealing/tree.ts';
import { iso } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { cosign, openCheckpoint, signCheckpoint } from '../../src/proof/checkpoint.ts';
import { signerFromSeed } from '../../src/proof/signed-note.ts';
import { COSIGNATURE } from '../../src/proof/verifier-key.ts';
import { testConfig } from './config.ts';

/**
 * Signs and stores a checkpoint over all sealed entries, at a past instant.
 * @param key the seed of the log's newest key. Default: that of {@link testConfig}
 * @param witnessedAt when the only witness, of a quorum of one, cosigned; null without one
 */
export async function signTree(
  database: Database,
  signedAt: number,
  witnessedAt: number | null = null,
  key = testConfig().ledger.key!,
): Promise<void> {
  const { site } = testConfig();
  const origin = await ledgerOrigin(database, site);
  const signer = await ledgerSigner(origin, key);
  await keysWithFirst(database, signer.key);
  const [end]: { seq: number | null }[] = await database('ledger_entries').max({ seq: 'seq' });
  const size = (end!.seq ?? -1) + 1;
  const [known] = await database('checkpoints').where({ size }).select('size');
  if (size === 0 || known !== undefined) return;
  const checkpoint = {
    origin,
    size,
    root: await rootAt(database, size),
    time: iso(signedAt),
    ...(witnessedAt !== null && { quorum: 1 }),
  };
  const witness = await signerFromSeed('witness.example', COSIGNATURE, Buffer.alloc(32, 3));
  let note = await signCheckpoint(checkpoint, [signer]);
  if (witnessedAt !== null) note += await cosign(note, witness, Math.floor(witnessedAt / 1000));
  const { cosignedBy } = await openCheckpoint(note, origin, [signer.key], [witness.key]);
  await database.transaction((transaction) => storeCheckpoint(transaction, checkpoint, note, cosignedBy));
}
