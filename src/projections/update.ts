import { advanceCursor } from '../ledger/advance-cursor.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { extendChanges } from './changes.ts';
import { extendClvCounts } from './clv-counts.ts';
import { extendBoardPicks } from './extend-board-picks.ts';
import { extendRollups } from './rollups.ts';
import { extendSealedInTime } from './sealed-in-time.ts';
import { extendStreaks } from './streaks.ts';
import { touchedTags } from './touches.ts';

/** Entries per transaction. */
const batchSize = 5_000;
const reader = 'boards';

/**
 * Brings `board_picks` and what is made of it (`expected.ts`) up to the end of the log. Each batch and the cursor are one transaction, so
 * every entry counts exactly once. Concurrent calls wait for each other.
 * @param onBatch called after each transaction with the tags of what changed, unless nothing did
 * @returns how many entries were read
 */
export async function updateProjections(
  database: Database,
  onBatch: (tags: readonly string[]) => Promise<void> = async () => {},
): Promise<number> {
  for (let total = 0; ; ) {
    const { entries, tags, more } = await database.transaction((transaction) => updateBatch(transaction));
    if (tags.length > 0) await onBatch(tags);
    total += entries;
    if (!more) return total;
  }
}

async function updateBatch(
  transaction: Transaction,
): Promise<{ entries: number; tags: string[]; more: boolean }> {
  await transaction('reader_cursors').insert({ reader, next_seq: 0 }).onConflict('reader').ignore();
  const { from, to } = await advanceCursor(transaction, reader, batchSize);
  if (to > from) {
    await extendBoardPicks(transaction, from, to);
    await extendRollups(transaction, from, to);
    await extendStreaks(transaction, from, to);
    await extendClvCounts(transaction, from, to);
    await extendChanges(transaction, from, to);
  }
  const { covered, more } = await extendSealedInTime(transaction);
  return {
    entries: to - from,
    tags: await touchedTags(transaction, from, to, covered),
    more: more || to - from === batchSize,
  };
}
