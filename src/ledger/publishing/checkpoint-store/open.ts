import { type Checkpoint, openCheckpoint } from '../../../proof/checkpoint.ts';
import { parseNote } from '../../../proof/signed-note.ts';
import type { VerifierKey } from '../../../proof/verifier-key.ts';
import { fileStore } from './file.ts';
import { postgresStore } from './postgres.ts';
import { type CheckpointStore, CheckpointStoreError } from './store.ts';

/**
 * The checkpoint store of a setting. Opens no connection.
 * @param setting `CHECKPOINT_STORE`: the address of a PostgreSQL, else the path of a file
 */
export function checkpointStore(setting: string): CheckpointStore {
  return isDatabase(setting) ? postgresStore(setting) : fileStore(setting);
}

/** Whether a setting is the address of a PostgreSQL. */
export const isDatabase = (setting: string): boolean => /^postgres(ql)?:/.test(setting);

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
