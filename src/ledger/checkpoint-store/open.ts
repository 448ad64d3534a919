import { fileStore } from './file.ts';
import { postgresStore } from './postgres.ts';
import type { CheckpointStore } from './store.ts';

/**
 * The checkpoint store of a setting. Opens no connection.
 * @param setting `CHECKPOINT_STORE`: the address of a PostgreSQL, else the path of a file
 */
export function checkpointStore(setting: string): CheckpointStore {
  return /^postgres(ql)?:/.test(setting) ? postgresStore(setting) : fileStore(setting);
}
