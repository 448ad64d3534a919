import type { Database } from '../../../platform/database.ts';
import { changedFile, type DataIndex, openDataIndex } from '../../../proof/data-index.ts';
import { Difference } from '../../difference.ts';
import { announcedKeys } from './keys.ts';

/** A stored index of data files: opened, or the reason why it cannot be one. */
export type StoredDataIndex = { id: number; note: string } & (
  | { index: DataIndex; fault?: undefined }
  | { index?: undefined; fault: Difference }
);

/**
 * Reads the indexes of data files, oldest first. An index must be signed by the log and repeat every line of the index before: a file never
 * changes.
 */
export async function dataIndexes(database: Database): Promise<StoredDataIndex[]> {
  const rows: { id: number; note: string }[] = await database('data_indexes')
    .orderBy('id')
    .select('id', 'note');
  if (rows.length === 0) return [];
  const [{ origin } = { origin: '' }]: { origin: string }[] = await database('ledger_origin').where({
    id: 1,
  });
  const known = await announcedKeys<{ vkey: string; note: string | null }>(
    await database('signing_keys').orderBy('id').select('vkey', 'note'),
  );
  const keys = known.map(({ key }) => key);
  let files: DataIndex['files'] = [];
  const found: StoredDataIndex[] = [];
  for (const row of rows) {
    const faulty = (sentence: string) =>
      found.push({ ...row, fault: new Difference('data_indexes', `id ${row.id}`, 'note', sentence) });
    try {
      const index = await openDataIndex(row.note, origin, keys);
      const changed = changedFile(files, index);
      if (changed !== undefined) {
        faulty(`it changes or leaves out ${changed}, which an index before it lists`);
        continue;
      }
      found.push({ ...row, index });
      files = index.files;
    } catch (error) {
      faulty((error as Error).message);
    }
  }
  return found;
}
