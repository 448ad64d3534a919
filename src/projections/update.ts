import { readOn } from '../ledger/read-on.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { extendBoardPicks } from './board-picks.ts';
import { extendRollups } from './rollups.ts';
import { extendStreaks } from './streaks.ts';
import { type BoardTouch, readTouches } from './touches.ts';

/** Entries read in one transaction. */
const batch = 5_000;
const reader = 'boards';

/** What one step of following the log changed. */
export interface Followed {
  /** Entries read. */
  entries: number;
  /** The first `seq` that has not been read. */
  nextSeq: number;
  /** What the entries were about: boards that rest on it are stale now. */
  touched: BoardTouch;
}

/**
 * Reads the log on from the boards' cursor and keeps `board_picks`, rollups and running streaks, in the same transaction as the cursor:
 * exactly once, at a cost of what is new. Two at once wait for each other.
 * @param onBatch called after each transaction, when boards may be told that they are stale
 * @returns how many entries were read
 */
export async function updateProjections(
  database: Database,
  onBatch: (followed: Followed) => Promise<void> = async () => {},
): Promise<number> {
  for (let total = 0; ; ) {
    const followed = await database.transaction((transaction) => followBatch(transaction));
    if (followed.entries > 0 || followed.touched.world) await onBatch(followed);
    total += followed.entries;
    if (followed.entries < batch) return total;
  }
}

async function followBatch(transaction: Transaction): Promise<Followed> {
  await transaction('reader_cursors').insert({ reader, next_seq: 0 }).onConflict('reader').ignore();
  const { from, to: nextSeq } = await readOn(transaction, reader, batch);
  const entries = nextSeq - from;
  if (entries > 0) {
    await extendBoardPicks(transaction, from, nextSeq);
    await extendRollups(transaction, from, nextSeq);
    await extendStreaks(transaction, from, nextSeq);
  }
  return { entries, nextSeq, touched: await readTouches(transaction, from, nextSeq) };
}
