import { readFileSync } from 'node:fs';
import { type Checkpoint, openCheckpoint } from '../proof/checkpoint.ts';
import type { VerifierKey } from '../proof/verifier-key.ts';
import { writeDurably } from './durable-file.ts';

/** The checkpoint that was published last, as it is kept outside the database (`CHECKPOINT_FILE`). */
export interface KeptCheckpoint {
  checkpoint: Checkpoint;
  /** The signed note. */
  note: string;
}

/** The checkpoint file is there and of no use, or cannot be written. */
export class CheckpointFileError extends Error {
  override name = 'CheckpointFileError';
}

/**
 * Reads the checkpoint file as it is.
 * @param path `CHECKPOINT_FILE`
 * @returns null when there is no such file
 * @throws CheckpointFileError with a sentence
 */
export function readCheckpointFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'no reason known' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new CheckpointFileError(`The checkpoint file cannot be read (${code}).`);
  }
}

/**
 * Verifies that what the checkpoint file holds was signed by this log.
 * @throws CheckpointFileError with a sentence
 */
export async function openKeptCheckpoint(
  note: string,
  origin: string,
  keys: readonly VerifierKey[],
): Promise<KeptCheckpoint> {
  try {
    const { checkpoint } = await openCheckpoint(note, origin, keys);
    return { checkpoint, note };
  } catch (error) {
    throw new CheckpointFileError(
      `The checkpoint file does not hold a checkpoint of this log: ${(error as Error).message}.`,
    );
  }
}

/**
 * Keeps a checkpoint outside the database, synced to disk.
 * @throws CheckpointFileError with a sentence
 */
export function writeCheckpointFile(path: string, note: string): void {
  try {
    writeDurably(path, note);
  } catch (error) {
    const { code = 'no reason known' } = error as NodeJS.ErrnoException;
    throw new CheckpointFileError(`The checkpoint file cannot be written (${code}).`);
  }
}
