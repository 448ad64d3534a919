import { ExpectedError } from '../../platform/expected-error.ts';
import { type Checkpoint, openCheckpoint } from '../../proof/checkpoint.ts';
import { parseNote } from '../../proof/signed-note.ts';
import type { VerifierKey } from '../../proof/verifier-key.ts';

/**
 * Keeps the newest checkpoint outside the database, for all publishers of a log (`CHECKPOINT_STORE`). A publisher swaps it before a
 * witness or a reader sees the new one, so publishers on databases that have diverged cannot both go on from one checkpoint:
 * docs/decisions/0029-checkpoint-store.md.
 *
 * All methods reject with {@link CheckpointStoreError} when the store is unavailable. A swap that rejects may have happened.
 */
export interface CheckpointStore {
  /** Returns the signed note that is kept; null if there is none. */
  read(): Promise<string | null>;
  /**
   * Replaces `previous` with `next` durably, or does nothing. Of two swaps from one note at most one succeeds, whatever process or host
   * they come from, and none waits for another.
   * @param previous null: only if nothing is kept
   * @returns whether `next` is now kept
   */
  compareAndSwap(previous: string | null, next: string): Promise<boolean>;
  /**
   * Moves the checkpoint of a log that has ended out of the way, and keeps it under a name.
   * @returns where it is now, in words
   */
  setAside(note: string, name: string): Promise<string>;
}

/** The checkpoint store is unavailable, or what it keeps is of no use. The message is a sentence without addresses. */
export class CheckpointStoreError extends ExpectedError {
  override name = 'CheckpointStoreError';
}

/** A verified checkpoint of the store. */
export interface KeptCheckpoint {
  checkpoint: Checkpoint;
  /** The signed note. */
  note: string;
  /** How many signatures it has beside the log's own: those of witnesses. */
  cosignatures: number;
}

/**
 * Verifies that a kept note was signed by this log.
 * @throws CheckpointStoreError
 */
export async function openKeptCheckpoint(
  note: string,
  origin: string,
  keys: readonly VerifierKey[],
): Promise<KeptCheckpoint> {
  try {
    const { checkpoint, signedBy } = await openCheckpoint(note, origin, keys);
    const { signatures } = parseNote(note);
    const cosignatures = signatures.filter(
      ({ name, id }) => !signedBy.some(({ key }) => key.name === name && key.id === id),
    ).length;
    return { checkpoint, note, cosignatures };
  } catch (error) {
    throw new CheckpointStoreError(
      `The checkpoint store does not hold a checkpoint of this log: ${(error as Error).message}.`,
    );
  }
}
