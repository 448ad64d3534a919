import { v4 } from 'uuid';
import type { Database } from '../../platform/database.ts';
import { type Judged, judge } from './judge.ts';
import type { PickRow } from './pick-row.ts';

/** Undoes the transaction of {@link wouldPost}. */
class Undone extends Error {}

/**
 * Judges live picks as posting does, in a transaction that is rolled back, so that nothing is stored.
 * @param now epoch milliseconds
 * @returns in the order of the rows
 */
export async function wouldPost(
  database: Database,
  rows: readonly PickRow[],
  now: number,
): Promise<Judged[]> {
  let judged: Judged[] = [];
  const posts = rows.map((row) => ({ row, uuid: v4(), postedAt: now }));
  await database
    .transaction(async (transaction) => {
      judged = await judge(transaction, posts, 'live', now);
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  return judged;
}
