import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../platform/database.ts';
import { Difference } from '../difference.ts';
import { dataIndexes } from '../sealing/recompute/keys.ts';

/**
 * Finds indexes of data files that the log did not sign, or that change a file of an index before; and files that are not those of the
 * newest index.
 * @param folder `DATA_FILES`; undefined: files are not compared
 */
export async function* auditDataFiles(
  database: Database,
  folder: string | undefined,
): AsyncGenerator<Difference> {
  const indexes = await dataIndexes(database);
  for (const { fault } of indexes) if (fault !== undefined) yield fault;
  const files = indexes.findLast(({ index }) => index !== undefined)?.index?.files ?? [];
  for (const { name, sha256 } of folder === undefined ? [] : files) {
    const hash = createHash('sha256');
    try {
      for await (const chunk of createReadStream(join(folder!, name))) hash.update(chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      yield new Difference('DATA_FILES', name, null, 'it is missing');
      continue;
    }
    const found = hash.digest('hex');
    if (found !== sha256)
      yield new Difference('DATA_FILES', name, null, `its SHA-256 is ${found}, but the log has ${sha256}`);
  }
}
