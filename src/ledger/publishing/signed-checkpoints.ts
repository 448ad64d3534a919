import { LRUCache } from 'lru-cache';
import { iso, isoOrNull } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { type Checkpoint, openCheckpoint } from '../../proof/checkpoint.ts';
import { equalBytes } from '../../proof/encoding.ts';
import type { Verified } from '../../proof/signed-note.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../../proof/verifier-key.ts';
import { signingKeys, storedOrigin } from './identity.ts';

interface Row {
  size: number;
  root: Uint8Array;
  note: string;
}

export interface CheckpointTimes {
  size: number;
  /** By the log's clock. */
  signedAt: EpochMs;
  cosignatures: number;
  /** When the note's quorum was reached, by the witnesses' clocks. Null if it names no quorum or has too few cosignatures. */
  witnessedAt: EpochMs | null;
}

/** Returns the times of a checkpoint, computed only from its verified note. @returns null if the note names no time */
export function timesOf(
  { size, time, quorum }: Checkpoint,
  cosignedBy: readonly Verified[],
): CheckpointTimes | null {
  if (time === undefined) return null;
  const times = cosignedBy.map(({ timestamp }) => timestamp! * 1000).sort((a, b) => a - b);
  const witnessedAt = quorum === undefined ? null : (times[quorum - 1] ?? null);
  return { size, signedAt: Date.parse(time), cosignatures: times.length, witnessedAt };
}

/** Times by verified note. Most lookups concern the newest one. */
const verified = new LRUCache<string, { times: CheckpointTimes | null }>({ max: 5000 });

/** Reports whether a key of the log signed a row of `checkpoints`. The sealing login could insert unsigned rows. */
export async function isSigned(database: Database, row: Row): Promise<boolean> {
  return (await openRow(database, row)) !== undefined;
}

/** @returns undefined if no key of the log signed the row */
async function openRow(
  database: Database,
  { size, root, note }: Row,
): Promise<{ times: CheckpointTimes | null } | undefined> {
  const known = verified.get(note);
  if (known !== undefined) return known;
  const origin = await storedOrigin(database);
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

/** Skips rows that are not keys. */
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

const batch = 200;

/** Returns the times of the signed checkpoints that first covered the entries from `from` up to, but not including, `to`, in order. */
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

/** SQL: rows of times bound as `:times`, see {@link timesBound}. */
export const timesSql = `select size, signed_at, witnessed_at
  from jsonb_to_recordset(cast(:times as jsonb)) as t (size bigint, signed_at timestamptz, witnessed_at timestamptz)`;

export function timesBound(times: readonly CheckpointTimes[]): string {
  return JSON.stringify(
    times.map(({ size, signedAt, witnessedAt }) => ({
      size,
      signed_at: iso(signedAt),
      witnessed_at: isoOrNull(witnessedAt),
    })),
  );
}

/** @returns false if a row of that size exists. That row is not a checkpoint of the log; the next entry leads to a larger size */
export async function storeCheckpoint(
  transaction: Transaction,
  checkpoint: Checkpoint,
  note: string,
  cosignedBy: readonly Verified[],
): Promise<boolean> {
  // Includes rows that are not checkpoints of the log, because `previous` must name the row before.
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
