import type { Config } from '../platform/config/config.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import { type Checkpoint, signCheckpoint } from '../proof/checkpoint.ts';
import { equalBytes } from '../proof/encoding.ts';
import { parseNote, type Signer } from '../proof/signed-note.ts';
import { formatVerifierKey } from '../proof/verifier-key.ts';
import {
  CheckpointFileError,
  type KeptCheckpoint,
  openKeptCheckpoint,
  readCheckpointFile,
  writeCheckpointFile,
} from './checkpoint-file.ts';
import { ledgerOrigin, type OriginConfig } from './origin.ts';
import { consistencyHashes, rootAt } from './proofs.ts';
import { clearRefusals, PublisherRefusal, recordRefusal } from './refusals.ts';
import { keysWithFirst, ledgerSigner, maySign, type SigningKey } from './signing-keys.ts';
import { askWitnesses } from './witnesses.ts';

/** Only one transaction at a time signs: whoever holds this advisory lock. */
export const publishingLock = 7_263_002;

export type Publisher = OriginConfig &
  Pick<Config['ledger'], 'key'> &
  Partial<Pick<Config['ledger'], 'checkpointFile' | 'witnesses'>>;

/**
 * Signs a checkpoint over all that is sealed (C2SP tlog-checkpoint, Ed25519), where the log has grown since the last one. Checkpoints are
 * kept for ever, with the cosignatures that witnesses gave at once: receipts rest on them, so they never change afterwards.
 *
 * Nothing is signed that contradicts the checkpoint published last, in the database or outside it: the new one is written to
 * `CHECKPOINT_FILE` before anyone, a witness included, sees it.
 * @param now epoch milliseconds
 * @returns the size of the tree that was signed, or null when there was nothing new
 * @throws PublisherRefusal, which is also kept for the status to show
 */
export async function publishCheckpoint(
  database: Database,
  publisher: Publisher,
  now: number,
  log?: Logger,
): Promise<number | null> {
  try {
    const size = await database.transaction((transaction) =>
      publish(database, transaction, publisher, now, log),
    );
    await clearRefusals(database, now);
    return size;
  } catch (error) {
    const refusal = error instanceof CheckpointFileError ? new PublisherRefusal(error.message) : error;
    if (refusal instanceof PublisherRefusal && (await recordRefusal(database, refusal.message, now)))
      log?.error({ reason: refusal.message }, 'refused to sign a checkpoint');
    throw refusal;
  }
}

interface LastCheckpoint {
  size: number;
  root: Buffer;
  note: string;
}

async function publish(
  database: Database,
  transaction: Transaction,
  publisher: Publisher,
  now: number,
  log: Logger | undefined,
): Promise<number | null> {
  await transaction.raw('select pg_advisory_xact_lock(?)', [publishingLock]);
  const origin = await ledgerOrigin(transaction, publisher);
  const signer = await ledgerSigner(origin, publisher.key);
  const keys = await keysWithFirst(transaction, signer.key);
  const [head]: { seq: number | null }[] = await transaction('ledger_entries').max({ seq: 'seq' });
  const size = (head?.seq ?? -1) + 1;
  let last = await lastCheckpoint(transaction);
  const kept = await keptCheckpoint(publisher.checkpointFile, origin, keys, last);

  if (last !== undefined) await mustGoOnFrom(transaction, size, last, 'the last checkpoint in the database');
  if (kept !== null) await mustGoOnFrom(transaction, size, kept.checkpoint, 'the checkpoint published last');
  if (kept !== null && kept.checkpoint.size > (last?.size ?? 0)) {
    // It was written, and the process ended before the database knew of it.
    await store(transaction, publisher, kept.note, kept.checkpoint, last, now);
    const { size, root } = kept.checkpoint;
    last = { size, root: Buffer.from(root), note: kept.note };
  }
  if (!maySign(keys, signer, last?.note) || size === (last?.size ?? 0)) return null;

  const checkpoint = { origin, size, root: await rootAt(transaction, size) };
  const note = await published(database, checkpoint, signer, keys, publisher, log);
  await store(transaction, publisher, note, checkpoint, last, now);
  return size;
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
async function mustGoOnFrom(
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

/** Signs a checkpoint, keeps it outside the database and has it cosigned. */
async function published(
  database: Database,
  checkpoint: Checkpoint,
  signer: Signer,
  keys: readonly SigningKey[],
  { checkpointFile, witnesses = [] }: Publisher,
  log: Logger | undefined,
): Promise<string> {
  const signed = await signCheckpoint(checkpoint, [signer]);
  if (checkpointFile !== undefined) writeCheckpointFile(checkpointFile, signed);
  const answers = await askWitnesses(witnesses, {
    note: signed,
    checkpoint,
    keys: keys.map(({ key }) => key),
    // What is sealed is committed, so that each witness may have a connection of its own.
    consistency: (from) => consistencyHashes(database, from, checkpoint.size),
  });
  let note = signed;
  for (const { witness, ...answer } of answers) {
    if ('line' in answer) note += answer.line;
    else log?.warn({ witness: witness.key.name, err: answer.failure }, 'witness gave no cosignature');
  }
  if (checkpointFile !== undefined && note !== signed) writeCheckpointFile(checkpointFile, note);
  return note;
}

async function store(
  transaction: Transaction,
  { witnesses = [] }: Publisher,
  note: string,
  { size, root }: Checkpoint,
  last: LastCheckpoint | undefined,
  now: number,
): Promise<void> {
  const previous = last?.size ?? null;
  await transaction('checkpoints').insert({ size, root: Buffer.from(root), note, previous });
  await transaction('checkpoint_times')
    .insert({ size, signed_at: new Date(now) })
    .onConflict()
    .ignore();
  const { signatures } = parseNote(note);
  for (const { key } of witnesses)
    if (signatures.some(({ name, id }) => name === key.name && id === key.id))
      await transaction('witness_keys')
        .insert({ vkey: formatVerifierKey(key) })
        .onConflict()
        .ignore();
}
