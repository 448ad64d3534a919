import { type Checkpoint, openCheckpoint } from '../../../proof/checkpoint.ts';
import { parseNote } from '../../../proof/signed-note.ts';
import type { VerifierKey } from '../../../proof/verifier-key.ts';
import { fileStore } from './file.ts';
import { postgresStore } from './postgres.ts';
import { type CheckpointStore, CheckpointStoreError } from './store.ts';

/**
 * Returns the checkpoint store that a setting names. Opens no connection.
 * @param setting `CHECKPOINT_STORE`: a PostgreSQL URL, or the path of a file
 */
export function checkpointStore(setting: string): CheckpointStore {
  return isDatabase(setting) ? postgresStore(setting) : fileStore(setting);
}

/** Reports whether a setting is a PostgreSQL URL. */
export const isDatabase = (setting: string): boolean => /^postgres(ql)?:/.test(setting);

export interface KeptCheckpoint {
  checkpoint: Checkpoint;
  /** The signed note. */
  note: string;
  /** Number of signatures by witnesses. */
  cosignatures: number;
}

/** Verifies that this log signed a stored note. @throws CheckpointStoreError */
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
