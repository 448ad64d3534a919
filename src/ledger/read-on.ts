import type { Transaction } from '../platform/database.ts';

/**
 * Takes the next entries of the log for one of its readers: moves the reader's cursor over them, in the transaction in which the reader
 * does what it does of them. Two at once wait for each other.
 * @param reader its name in `reader_cursors`, which has a row of it
 * @param most entries
 * @returns the first `seq` and the one after the last; the same where there is nothing new
 */
export async function readOn(
  transaction: Transaction,
  reader: string,
  most: number,
): Promise<{ from: number; to: number }> {
  const [cursor]: { from: number }[] = await transaction('reader_cursors')
    .where({ reader })
    .select({ from: 'next_seq' })
    .forUpdate();
  const { from } = cursor!;
  const { rows }: { rows: { entries: number }[] } = await transaction.raw(
    'select count(*)::int as entries from ledger_entries where seq >= ? and seq < ?',
    [from, from + most],
  );
  const to = from + rows[0]!.entries;
  if (to > from) await transaction('reader_cursors').where({ reader }).update({ next_seq: to });
  return { from, to };
}
