import { ExpectedError } from '../../../platform/expected-error.ts';

/**
 * Keeps the newest checkpoint outside the database, for all publishers of a log (`CHECKPOINT_STORE`). A publisher swaps it before a
 * witness or a reader sees the new one, so publishers on databases that have diverged cannot both go on from one checkpoint:
 * docs/operations.md#checkpoints-and-witnesses.
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
