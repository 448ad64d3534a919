import { randomUUID } from 'node:crypto';
import { takeLock } from '../platform/advisory-locks.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import { type Checkpoint, signCheckpoint } from '../proof/checkpoint.ts';
import { equalBytes } from '../proof/encoding.ts';
import { parseNote } from '../proof/signed-note.ts';
import { formatVerifierKey, type VerifierKey } from '../proof/verifier-key.ts';
import {
  CheckpointFileError,
  type KeptCheckpoint,
  openKeptCheckpoint,
  readCheckpointFile,
  writeCheckpointFile,
} from './checkpoint-file.ts';
import { keptOrigin, ledgerOrigin, type OriginConfig } from './origin.ts';
import { consistencyHashes, rootAt } from './proofs.ts';
import { claimLease, isLeased, releaseLease } from './publisher-lease.ts';
import { clearRefusals, PublisherRefusal, recordRefusal } from './refusals.ts';
import { keysWithFirst, ledgerSigner, maySign, type SigningKey } from './signing-keys.ts';
import { askWitnesses } from './witnesses.ts';

export type Publisher = OriginConfig &
  Pick<Config['ledger'], 'key'> &
  Partial<Pick<Config['ledger'], 'checkpointFile' | 'witnesses'>>;

/**
 * Signs a checkpoint over all that is sealed (C2SP tlog-checkpoint, Ed25519), where the log has grown since the last one, has it
 * cosigned and stores it. Checkpoints are kept for ever, with the cosignatures that witnesses gave at once: receipts rest on them,
 * so they never change afterwards.
 *
 * No transaction is open while witnesses are asked:
 *
 * 1. Draft, under the publishing lock: compare the log with the newest checkpoint of the database and of `CHECKPOINT_FILE`, sign,
 *    claim the lease, write the file.
 * 2. Ask the witnesses.
 * 3. Store, under the lock again: write the file with the cosignatures, then the database, from which readers are served.
 *
 * Nothing forks. Every signature is made under the lock, over committed entries of an append-only log that go on from every checkpoint
 * that the database or the file holds; and it is in the file, synced, before a witness or a reader sees it. So all checkpoints are of
 * one tree, whichever were stored.
 *
 * Two publishers exclude each other by the lease. Should it run out under a slow one, another stores what the file holds and goes on;
 * the slow one finds in step 3 that its draft does not follow the newest stored checkpoint, and drops it. So the order holds whatever
 * clocks do; the lease only saves cosignatures.
 *
 * A crash loses nothing that anyone has seen. Before the file is written nobody knows of the draft; afterwards the file is ahead of the
 * database, and the next draft begins with storing what the file holds. Without a file a witness may know a size that was never stored:
 * the next checkpoint is no smaller, and of the same tree.
 * @param now epoch milliseconds
 * @returns the size of the tree that was signed and stored, or null when there was nothing new or another publisher is at it
 * @throws PublisherRefusal, which is also kept for the status to show
 */
export async function publishCheckpoint(
  database: Database,
  publisher: Publisher,
  now: number,
  log?: Logger,
): Promise<number | null> {
  const holder = randomUUID();
  try {
    const draft = await database.transaction((transaction) =>
      draftCheckpoint(transaction, publisher, holder, now),
    );
    if (draft === 'leased') return null;
    const size = draft === null ? null : await finish(database, publisher, draft, holder, now, log);
    await clearRefusals(database, ['refused'], now);
    return size;
  } catch (error) {
    const refusal = error instanceof CheckpointFileError ? new PublisherRefusal(error.message) : error;
    if (
      refusal instanceof PublisherRefusal &&
      (await recordRefusal(database, 'refused', refusal.message, now))
    )
      log?.error({ reason: refusal.message }, 'refused to sign a checkpoint');
    throw refusal;
  }
}

/** A signed checkpoint that is not stored yet. */
interface Draft {
  checkpoint: Checkpoint;
  /** Signed by the log alone. */
  note: string;
  /** The log's own keys. */
  keys: readonly VerifierKey[];
  /** The size of the checkpoint that it follows; null where it is the first. */
  previous: number | null;
}

interface LastCheckpoint {
  size: number;
  root: Buffer;
  note: string;
}

/** Step 1. @returns null when there is nothing to sign, `leased` while another publisher is at it */
async function draftCheckpoint(
  transaction: Transaction,
  publisher: Publisher,
  holder: string,
  now: number,
): Promise<Draft | 'leased' | null> {
  await takeLock(transaction, 'publishing');
  if (await isLeased(transaction)) return 'leased';
  const origin = await ledgerOrigin(transaction, publisher);
  const signer = await ledgerSigner(origin, publisher.key);
  const keys = await keysWithFirst(transaction, signer.key);
  const [head]: { seq: number | null }[] = await transaction('ledger_entries').max({ seq: 'seq' });
  const size = (head?.seq ?? -1) + 1;
  let last = await lastCheckpoint(transaction);
  const path = publisher.checkpointFile;
  const kept = await keptCheckpoint(path, origin, keys, last);

  if (last !== undefined) await mustExtend(transaction, size, last, 'the last checkpoint in the database');
  if (kept !== null) await mustExtend(transaction, size, kept.checkpoint, 'the checkpoint published last');
  if (kept !== null && kept.checkpoint.size > (last?.size ?? 0)) {
    await store(transaction, publisher, kept.note, kept.checkpoint, last?.size ?? null, now);
    const { size, root } = kept.checkpoint;
    last = { size, root: Buffer.from(root), note: kept.note };
  }
  if (!maySign(keys, signer, last?.note) || size === (last?.size ?? 0)) return null;

  const checkpoint = { origin, size, root: await rootAt(transaction, size) };
  const note = await signCheckpoint(checkpoint, [signer]);
  await claimLease(transaction, holder);
  if (path !== undefined) writeCheckpointFile(path, note);
  return { checkpoint, note, keys: keys.map(({ key }) => key), previous: last?.size ?? null };
}

/** Steps 2 and 3. @returns the size that was stored, or null when the draft was dropped */
async function finish(
  database: Database,
  publisher: Publisher,
  draft: Draft,
  holder: string,
  now: number,
  log: Logger | undefined,
): Promise<number | null> {
  try {
    const note = await cosigned(database, publisher, draft, log);
    return await database.transaction((transaction) => storeDraft(transaction, publisher, draft, note, now));
  } finally {
    // Out of reach or not: the lease runs out by itself.
    await releaseLease(database, holder).catch(() => {});
  }
}

async function storeDraft(
  transaction: Transaction,
  publisher: Publisher,
  { checkpoint, note: drafted, previous }: Draft,
  note: string,
  now: number,
): Promise<number | null> {
  await takeLock(transaction, 'publishing');
  const last = await lastCheckpoint(transaction);
  const isNext = (last?.size ?? null) === previous && (await keptOrigin(transaction)) === checkpoint.origin;
  if (!isNext) return null;
  const { checkpointFile: path } = publisher;
  if (path !== undefined && readCheckpointFile(path) !== drafted)
    throw new PublisherRefusal('The checkpoint file was changed while witnesses were asked.');
  if (path !== undefined && note !== drafted) writeCheckpointFile(path, note);
  await store(transaction, publisher, note, checkpoint, previous, now);
  return checkpoint.size;
}

function lastCheckpoint(transaction: Transaction): Promise<LastCheckpoint | undefined> {
  return transaction('checkpoints').orderBy('size', 'desc').first('size', 'root', 'note');
}

/** @throws PublisherRefusal when the file is gone though there must be one */
async function keptCheckpoint(
  path: string | undefined,
  origin: string,
  keys: readonly SigningKey[],
  last: LastCheckpoint | undefined,
): Promise<KeptCheckpoint | null> {
  if (path === undefined) return null;
  const note = readCheckpointFile(path);
  if (note !== null)
    return openKeptCheckpoint(
      note,
      origin,
      keys.map(({ key }) => key),
    );
  if (last !== undefined)
    throw new PublisherRefusal(
      `The checkpoint file is missing, though ${last.size} entries have been signed: put it back, or see to it with audit --keep.`,
    );
  return null;
}

/** @throws PublisherRefusal when the stored tree does not begin with that of a checkpoint */
async function mustExtend(
  transaction: Transaction,
  size: number,
  before: Pick<Checkpoint, 'size' | 'root'>,
  what: string,
): Promise<void> {
  if (size < before.size)
    throw new PublisherRefusal(`The log has ${size} entries, fewer than the ${before.size} of ${what}.`);
  if (before.size > 0 && !equalBytes(await rootAt(transaction, before.size), before.root))
    throw new PublisherRefusal(`The first ${before.size} entries of the log are not those of ${what}.`);
}

/** Step 2: the note with the cosignatures that witnesses gave. */
async function cosigned(
  database: Database,
  { witnesses = [] }: Publisher,
  { note: signed, checkpoint, keys }: Draft,
  log: Logger | undefined,
): Promise<string> {
  const answers = await askWitnesses(witnesses, {
    note: signed,
    checkpoint,
    keys,
    consistency: (from) => consistencyHashes(database, from, checkpoint.size),
  });
  let note = signed;
  for (const { witness, ...answer } of answers) {
    if ('line' in answer) note += answer.line;
    else log?.warn({ witness: witness.key.name, err: answer.failure }, 'witness gave no cosignature');
  }
  return note;
}

async function store(
  transaction: Transaction,
  { witnesses = [] }: Publisher,
  note: string,
  { size, root }: Checkpoint,
  previous: number | null,
  now: number,
): Promise<void> {
  await transaction('checkpoints').insert({ size, root: Buffer.from(root), note, previous });
  const { signatures } = parseNote(note);
  const cosigned = witnesses.filter(({ key }) =>
    signatures.some(({ name, id }) => name === key.name && id === key.id),
  );
  await transaction('checkpoint_times')
    .insert({ size, signed_at: new Date(now), cosignatures: cosigned.length })
    .onConflict()
    .ignore();
  for (const { key } of cosigned)
    await transaction('witness_keys')
      .insert({ vkey: formatVerifierKey(key) })
      .onConflict()
      .ignore();
}
