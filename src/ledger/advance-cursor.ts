import type { Transaction } from '../platform/database.ts';

/**
 * Moves the cursor of one of the log's readers past its next entries, in the transaction in which the reader handles them: each entry
 * is handled exactly once. Two at once wait for each other.
 * @param reader its name in `reader_cursors`, which has a row for it
 * @param limit at most so many entries
 * @returns the first `seq` and the one after the last; the same where there is nothing new
 */
export async function advanceCursor(
  transaction: Transaction,
  reader: string,
  limit: number,
): Promise<{ from: number; to: number }> {
  const [cursor]: { from: number }[] = await transaction('reader_cursors')
    .where({ reader })
    .select({ from: 'next_seq' })
    .forUpdate();
  const { from } = cursor!;
  const { rows }: { rows: { entries: number }[] } = await transaction.raw(
    'select count(*)::int as entries from ledger_entries where seq >= ? and seq < ?',
    [from, from + limit],
  );
  const to = from + rows[0]!.entries;
  if (to > from) await transaction('reader_cursors').where({ reader }).update({ next_seq: to });
  return { from, to };
}
