import type { Transaction } from '../../platform/database.ts';
import type { Kind } from '../../proof/bodies.ts';

/**
 * Moves the cursor of one of the log's readers past its next entries, in the transaction in which the reader handles them: each entry
 * is handled exactly once. Two at once wait for each other.
 * @param reader its name in `reader_cursors`; without a row there it begins with the first entry
 * @param limit maximum number of entries
 * @returns the first `seq` and the one after the last, the same where there is nothing new; and which kinds of entries there are between
 */
export async function advanceCursor(
  transaction: Transaction,
  reader: string,
  limit: number,
): Promise<{ from: number; to: number; kinds: ReadonlySet<Kind> }> {
  const from = await lockCursor(transaction, reader);
  const { rows }: { rows: { kind: Kind; entries: number }[] } = await transaction.raw(
    'select kind, count(*)::int as entries from ledger_entries where seq >= ? and seq < ? group by kind',
    [from, from + limit],
  );
  const to = rows.reduce((sum, { entries }) => sum + entries, from);
  if (to > from) await transaction('reader_cursors').where({ reader }).update({ next_seq: to });
  return { from, to, kinds: new Set(rows.map(({ kind }) => kind)) };
}

/** Locks the cursor of a reader until the transaction ends. @returns where it is */
export async function lockCursor(transaction: Transaction, reader: string): Promise<number> {
  const read = async () => {
    const [cursor]: { next: number }[] = await transaction('reader_cursors')
      .where({ reader })
      .select({ next: 'next_seq' })
      .forUpdate();
    return cursor?.next;
  };
  const next = await read();
  if (next !== undefined) return next;
  await transaction('reader_cursors').insert({ reader, next_seq: 0 }).onConflict('reader').ignore();
  return (await read())!;
}
