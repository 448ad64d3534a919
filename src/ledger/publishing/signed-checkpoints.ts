import { LRUCache } from 'lru-cache';
import type { Database, Transaction } from '../../platform/database.ts';
import { type Checkpoint, openCheckpoint } from '../../proof/checkpoint.ts';
import { equalBytes } from '../../proof/encoding.ts';
import type { Verified } from '../../proof/signed-note.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../../proof/verifier-key.ts';
import { keptOrigin, signingKeys } from './identity.ts';

/** A row of `checkpoints`. */
interface Row {
  size: number;
  root: Uint8Array;
  note: string;
}

/** What a signed note says of its own time. Instants in epoch milliseconds. */
export interface CheckpointTimes {
  size: number;
  /** By the clock of the log. */
  signedAt: number;
  /** How many witnesses have cosigned it. */
  cosignatures: number;
  /** When as many witnesses as the note asks for had cosigned it, by their clocks. Null if it asks for none, or they are fewer. */
  witnessedAt: number | null;
}

/**
 * The times of a checkpoint, from its verified note and nothing else.
 * @returns null for a note that names no time
 */
export function timesOf(
  { size, time, quorum }: Checkpoint,
  cosignedBy: readonly Verified[],
): CheckpointTimes | null {
  if (time === undefined) return null;
  const times = cosignedBy.map(({ timestamp }) => timestamp! * 1000).sort((a, b) => a - b);
  const witnessedAt = quorum === undefined ? null : (times[quorum - 1] ?? null);
  return { size, signedAt: Date.parse(time), cosignatures: times.length, witnessedAt };
}

/** Times by the note that they come from, once its signatures are verified: most questions are about the newest one. */
const verified = new LRUCache<string, { times: CheckpointTimes | null }>({ max: 5000 });

/** Whether a key of the log has signed a row of `checkpoints`. The login of sealing can store others. */
export async function isSigned(database: Database, row: Row): Promise<boolean> {
  return (await openRow(database, row)) !== undefined;
}

/** @returns undefined for a row that no key of the log has signed */
async function openRow(
  database: Database,
  { size, root, note }: Row,
): Promise<{ times: CheckpointTimes | null } | undefined> {
  const known = verified.get(note);
  if (known !== undefined) return known;
  const origin = await keptOrigin(database);
  const keys = (await signingKeys(database)).map(({ key }) => key);
  const witnesses = await witnessKeys(database);
  try {
    const { checkpoint, cosignedBy } = await openCheckpoint(note, origin ?? '', keys, witnesses);
    if (checkpoint.size !== size || !equalBytes(checkpoint.root, root)) return undefined;
    const opened = { times: timesOf(checkpoint, cosignedBy) };
    verified.set(note, opened);
    return opened;
  } catch {
    return undefined;
  }
}

/** Keys of the witnesses that have cosigned a checkpoint. A row that is no key has cosigned none. */
async function witnessKeys(database: Database): Promise<VerifierKey[]> {
  const vkeys: string[] = await database('witness_keys').orderBy('vkey').pluck('vkey');
  return vkeys.flatMap((vkey) => {
    try {
      return [parseVerifierKey(vkey)];
    } catch {
      return [];
    }
  });
}

/** Checkpoints read by one statement. */
const batch = 200;

/** The times of the signed checkpoints by which the entries from `from` up to, not including, `to` were first covered, in order. */
export async function coveringTimes(
  database: Database,
  from: number,
  to: number,
): Promise<CheckpointTimes[]> {
  const times: CheckpointTimes[] = [];
  for (let after = from; ; ) {
    const rows: Row[] = await database('checkpoints')
      .where('size', '>', after)
      .orderBy('size')
      .limit(batch)
      .select('size', 'root', 'note');
    for (const row of rows) {
      const opened = await openRow(database, row);
      if (opened?.times == null) continue;
      times.push(opened.times);
      if (row.size >= to) return times;
    }
    if (rows.length < batch) return times;
    after = rows.at(-1)!.size;
  }
}

/**
 * Stores a signed checkpoint that follows the newest one, with its times and the keys of its witnesses.
 * @returns false where a row of that size is there, which then is none of the log: the next entry makes a larger one
 */
export async function storeCheckpoint(
  transaction: Transaction,
  checkpoint: Checkpoint,
  note: string,
  cosignedBy: readonly Verified[],
): Promise<boolean> {
  // A row that is no checkpoint of the log has its place in the chain all the same.
  const [before]: { size: number | null }[] = await transaction('checkpoints').max({ size: 'size' });
  const { size, root } = checkpoint;
  const stored = await transaction('checkpoints')
    .insert({ size, root: Buffer.from(root), note, previous: before!.size })
    .onConflict('size')
    .ignore()
    .returning('size');
  if (stored.length === 0) return false;
  const times = timesOf(checkpoint, cosignedBy);
  if (times !== null)
    await transaction('checkpoint_times')
      .insert({
        size,
        signed_at: new Date(times.signedAt),
        cosignatures: times.cosignatures,
        witnessed_at: times.witnessedAt === null ? null : new Date(times.witnessedAt),
      })
      .onConflict()
      .ignore();
  for (const { key } of cosignedBy)
    await transaction('witness_keys')
      .insert({ vkey: formatVerifierKey(key) })
      .onConflict()
      .ignore();
  return true;
}
