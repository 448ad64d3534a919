import type { Knex } from 'knex';
import type { Database } from '../platform/database.ts';

/**
 * Reads the rows of a query through a cursor of PostgreSQL: all rows are of one snapshot, and memory holds one batch of them. The process
 * answers other requests while it waits for the next batch.
 * @param length rows in a batch, all but the last; `onRows` should take a few milliseconds for as many
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
