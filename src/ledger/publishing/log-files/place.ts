import type { Tile } from '../../../proof/tiles.ts';

/** Where files of the published log are kept: a folder or a bucket. Paths are those of tlog-tiles. */
export interface Place {
  /** What it is called in messages. */
  readonly kind: 'folder' | 'bucket';
  /** How many tiles are written at once. */
  readonly concurrency: number;
  /** Prepares it, once. @throws Error when the log cannot be kept there */
  open(): Promise<void>;
  has(tile: Tile): Promise<boolean>;
  /** Writes a tile durably. Readers see all of it or nothing. */
  write(tile: Tile, bytes: Uint8Array): Promise<void>;
  /** Removes the partial tiles that a full one replaces: a reader who misses one asks for the full tile (tlog-tiles). */
  removePartial(tile: Tile): Promise<void>;
  /** The signed note; null if there is none. */
  readCheckpoint(): Promise<string | null>;
  /**
   * Replaces the checkpoint durably, or does nothing. Of two swaps from one note at most one succeeds.
   * @param previous null: only if there is none
   * @returns whether `next` is there now
   */
  swapCheckpoint(previous: string | null, next: string): Promise<boolean>;
}
