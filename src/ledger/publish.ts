import type { Database } from '../database.ts';
import { signCheckpoint } from '../proof/checkpoint.ts';
import { signerFromSeed } from '../proof/signed-note.ts';
import { rootOf } from '../proof/tree.ts';
import { ED25519 } from '../proof/verifier-key.ts';
import type { Settings } from '../settings.ts';
import { sha256 } from './seal.ts';
import { frontierAt } from './tree.ts';

/** Only one transaction at a time signs: whoever holds this advisory lock. */
const publishingLock = 7_263_002;

export type Publisher = Pick<Settings, 'BASE_URL' | 'DEMO' | 'LEDGER_KEY'>;

/**
 * The log's name: `<host of BASE_URL>/ledger` at the first start, kept from then on whatever the address becomes (decisions, section 4).
 * The demo's log has one of its own.
 */
export async function ledgerOrigin(database: Database, { BASE_URL, DEMO }: Publisher): Promise<string> {
  const origin = `${new URL(BASE_URL).host}/${DEMO ? 'demo-ledger' : 'ledger'}`;
  await database('ledger_origin').insert({ id: 1, origin }).onConflict('id').ignore();
  const row: { origin: string } | undefined = await database('ledger_origin').first('origin');
  return row?.origin ?? origin;
}

/**
 * Signs a checkpoint over all that is sealed (C2SP tlog-checkpoint, Ed25519), where the log has grown since the last one. Checkpoints are
 * kept for ever: receipts rest on them.
 * @param now epoch milliseconds
 * @returns the size of the tree that was signed, or null when there was nothing new
 */
export function publishCheckpoint(
  database: Database,
  publisher: Publisher,
  now: number,
): Promise<number | null> {
  return database.transaction(async (transaction) => {
    await transaction.raw('select pg_advisory_xact_lock(?)', [publishingLock]);
    const [head]: { seq: number | null }[] = await transaction('ledger_entries').max({ seq: 'seq' });
    const [last]: { size: number | null }[] = await transaction('checkpoints').max({ size: 'size' });
    const size = (head?.seq ?? -1) + 1;
    if (size === (last?.size ?? 0)) return null;
    const origin = await ledgerOrigin(transaction, publisher);
    const signer = await signerFromSeed(origin, ED25519, Buffer.from(publisher.LEDGER_KEY, 'base64'));
    const root = rootOf(await frontierAt(transaction, size), sha256);
    const note = await signCheckpoint({ origin, size, root }, [signer]);
    await transaction('checkpoints').insert({
      size,
      root: Buffer.from(root),
      note,
      signed_at: new Date(now),
    });
    return size;
  });
}
