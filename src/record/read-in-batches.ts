import type { Knex } from 'knex';
import type { Database } from '../platform/database.ts';

/**
 * Reads the rows of a query through a PostgreSQL cursor. All rows come from one snapshot, and memory holds only one batch. The process
 * serves other requests between batches.
 * @param length rows per batch; `onRows` should take only a few milliseconds for one
 */
export async function readInBatches<Row>(
  database: Database,
  query: Knex.QueryBuilder | Knex.Raw,
  length: number,
  onRows: (rows: readonly Row[]) => void,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.raw('declare batches no scroll cursor for ?', [query]);
    for (;;) {
      const { rows }: { rows: Row[] } = await transaction.raw(`fetch ${length} from batches`);
      if (rows.length > 0) onRows(rows);
      if (rows.length < length) break;
    }
    await transaction.raw('close batches');
  });
}
