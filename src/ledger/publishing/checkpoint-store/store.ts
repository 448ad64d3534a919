import { ExpectedError } from '../../../platform/expected-error.ts';

/**
 * Keeps the newest checkpoint outside the database, for all publishers of a log (`CHECKPOINT_STORE`). A publisher swaps it before a witness
 * or reader sees the new one. So publishers on diverged databases cannot both continue from one checkpoint
 * (docs/operations.md#checkpoints-and-witnesses).
 *
 * All methods reject with {@link CheckpointStoreError} if the store is unavailable. A rejected swap can still have taken effect.
 */
export interface CheckpointStore {
  /** Returns the stored note, or null. */
  read(): Promise<string | null>;
  /**
   * Replaces `previous` with `next` durably, or does nothing. At most one swap from a given note succeeds, across processes and hosts, and
   * no swap waits for another.
   * @param previous null: succeeds only if the store is empty
   * @returns whether the store now holds `next`
   */
  compareAndSwap(previous: string | null, next: string): Promise<boolean>;
  /** Moves the checkpoint of an ended log to another name. @returns the new location, in words */
  setAside(note: string, name: string): Promise<string>;
}

/** The checkpoint store is unavailable or holds an invalid checkpoint. The message is a sentence without addresses. */
export class CheckpointStoreError extends ExpectedError {
  override name = 'CheckpointStoreError';
}
