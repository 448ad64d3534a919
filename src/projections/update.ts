import { advanceCursor } from '../ledger/advance-cursor.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { extendChanges } from './changes.ts';
import { extendClvCounts } from './clv-counts.ts';
import { extendBoardPicks, extendSealedInTime } from './extend-board-picks.ts';
import { extendRollups } from './rollups.ts';
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

/** Whether {@link updateProjections} has anything to do: entries, checkpoints or changes of games and cappers that it has not read. */
export async function projectionsBehind(database: Database): Promise<boolean> {
  const { rows }: { rows: { behind: boolean }[] } = await database.raw(
    `select coalesce((select next_seq from reader_cursors where reader = 'boards'), 0) < coalesce((select max(seq) + 1 from ledger_entries), 0)
       or coalesce((select next_seq from reader_cursors where reader = 'checkpoints'), 0) < coalesce((select max(size) from checkpoint_times), 0)
       or exists (select from world_changes) as behind`,
  );
  return rows[0]!.behind;
}

async function updateBatch(
  transaction: Transaction,
): Promise<{ entries: number; tags: string[]; more: boolean }> {
  const { from, to, kinds } = await advanceCursor(transaction, reader, batchSize);
  await extendBoardPicks(transaction, from, to, kinds);
  await extendRollups(transaction, from, to, kinds);
  if (kinds.has('settled')) await extendStreaks(transaction, from, to);
  if (kinds.has('closed')) await extendClvCounts(transaction, from, to);
  if (to > from) await extendChanges(transaction, from, to);
  const { covered, more } = await extendSealedInTime(transaction);
  return {
    entries: to - from,
    tags: await touchedTags(transaction, from, to, covered),
    more: more || to - from === batchSize,
  };
}
