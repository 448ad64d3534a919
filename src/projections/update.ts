import { advanceCursor } from '../ledger/sealing/advance-cursor.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { extendChanges } from './changes.ts';
import { type CoveredPick, extendBoardPicks, extendSealedInTime } from './extend-board-picks.ts';
import { extendRollups } from './rollups.ts';
import { tags } from './tags.ts';

/** Entries per transaction. */
const batchSize = 5_000;
const reader = 'boards';

/**
 * Brings `board_picks` and what is made of it (`expected.ts`) up to the end of the log. Each batch and the cursor are one transaction, so
 * every entry counts exactly once. Concurrent calls wait for each other.
 * @param onBatch called after each transaction with the tags of what changed, unless nothing did
 * @param closing once aborted, no further transaction begins
 * @returns how many entries were read
 */
export async function updateProjections(
  database: Database,
  onBatch: (tags: readonly string[]) => Promise<void> = async () => {},
  closing?: AbortSignal,
): Promise<number> {
  let total = 0;
  while (!closing?.aborted) {
    const { entries, touched, more } = await database.transaction((transaction) => updateBatch(transaction));
    if (touched.length > 0) await onBatch(touched);
    total += entries;
    if (!more) break;
  }
  return total;
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
): Promise<{ entries: number; touched: string[]; more: boolean }> {
  const { from, to, kinds } = await advanceCursor(transaction, reader, batchSize);
  await extendBoardPicks(transaction, from, to, kinds);
  await extendRollups(transaction, from, to);
  if (to > from) await extendChanges(transaction, from, to);
  const { covered, more } = await extendSealedInTime(transaction);
  return {
    entries: to - from,
    touched: await touchedTags(transaction, from, to, covered),
    more: more || to - from === batchSize,
  };
}

interface TouchedPick extends Subject {
  kind: 'posted' | 'closed' | 'settled';
}

interface Subject {
  uuid: string;
  handle: string;
  sport: string;
  game: string;
}

/**
 * The tags to bump for the entries from `from` up to, not including, `to`, for picks that a checkpoint covers now, and for the changes of
 * games and cappers noted in `world_changes`, which are deleted.
 */
async function touchedTags(
  transaction: Transaction,
  from: number,
  to: number,
  covered: readonly CoveredPick[],
): Promise<string[]> {
  const rows: TouchedPick[] = await transaction('ledger_entries as e')
    .join('board_picks as b', 'b.pick_id', 'e.pick_id')
    .join('games as g', 'g.id', 'b.game_id')
    .where('e.seq', '>=', from)
    .where('e.seq', '<', to)
    .select({
      kind: 'e.kind',
      uuid: 'e.uuid',
      handle: 'e.capper',
      sport: 'b.sport',
      game: 'g.name',
    });
  const touched = new Set<string>();
  for (const row of rows) {
    touched.add(tags[row.kind]);
    for (const tag of subjectTags(row)) touched.add(tag);
  }
  // A checkpoint changes what answers with these picks show, and the counts of late ones.
  for (const pick of covered) {
    touched.add(tags.posted);
    if (pick.settled) touched.add(tags.settled);
    for (const tag of subjectTags(pick)) touched.add(tag);
  }
  for (const tag of await worldTags(transaction)) touched.add(tag);
  return [...touched];
}

function subjectTags({ uuid, handle, sport, game }: Subject): string[] {
  return [tags.sport(sport), tags.capper(handle), tags.pick(uuid), tags.game(sport, game)];
}

async function worldTags(transaction: Transaction): Promise<string[]> {
  const changes: { subject: 'game' | 'capper'; subject_id: number }[] = await transaction('world_changes')
    .delete()
    .returning(['subject', 'subject_id']);
  if (changes.length === 0) return [];
  const ids = (subject: string) => [
    ...new Set(changes.filter((change) => change.subject === subject).map(({ subject_id }) => subject_id)),
  ];
  const handles: string[] = await transaction('cappers').whereIn('id', ids('capper')).pluck('handle');
  const games: { sport: string; name: string }[] = await transaction('games')
    .whereIn('id', ids('game'))
    .select('sport', 'name');
  return [
    tags.world,
    ...handles.map((handle) => tags.capper(handle)),
    ...games.map(({ sport, name }) => tags.game(sport, name)),
  ];
}
