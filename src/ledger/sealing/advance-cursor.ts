import type { Database, Transaction } from '../../platform/database.ts';
import type { Kind } from '../../proof/bodies.ts';

/**
 * Advances a reader's cursor within the transaction that processes the entries, so each entry is processed exactly once. Concurrent calls
 * serialize.
 * @param reader its name in `reader_cursors`; without a row, it begins at the first entry
 * @param limit maximum number of entries
 * @returns the half-open range `from`, `to` of `seq`, empty if nothing is new, and the kinds of entries in it
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

/** Locks a reader's cursor until the transaction ends. @returns the next `seq` to read */
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

/** Selects the entries `e` from `from` up to, but not including, `to`. */
export function entriesIn(database: Database, from: number, to: number) {
  return database('ledger_entries as e').where('e.seq', '>=', from).where('e.seq', '<', to);
}
