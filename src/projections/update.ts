import { advanceCursor, entriesIn } from '../ledger/sealing/advance-cursor.ts';
import { type RowSetAside, recordRowsSetAside } from '../ledger/sealing/set-aside.ts';
import { type Database, isFaultOfData, type Transaction } from '../platform/database.ts';
import { type CoveredPick, extendBoardPicks, extendSealedInTime } from './extend-board-picks.ts';
import { extendFollowers } from './followers.ts';
import { extendBlocks } from './pick-blocks.ts';
import { extendPriceChecks, type NamedPick } from './price-checks.ts';
import { rebuildProjections } from './rebuild.ts';
import { extendRollups } from './rollups.ts';
import { tags } from './tags.ts';
import { extendVerdicts } from './verdicts.ts';

const batchSize = 5_000;
const reader = 'boards';

/**
 * Updates `board_picks` and the projections that depend on it (`expected.ts`) to the end of the log. Each batch and the cursor share a
 * transaction, so every entry counts exactly once. Concurrent calls serialize.
 * @param onBatch called with the changed tags after each transaction that changed any
 * @param closing once aborted, no further transaction begins
 * @returns the number of entries read
 */
export async function updateProjections(
  database: Database,
  onBatch: (tags: readonly string[]) => Promise<void> = async () => {},
  closing?: AbortSignal,
): Promise<number> {
  let total = 0;
  let repaired = false;
  while (!closing?.aborted) {
    let batch: Awaited<ReturnType<typeof updateBatch>>;
    try {
      batch = await database.transaction((transaction) => updateBatch(transaction));
    } catch (error) {
      if (repaired || !isFaultOfData(error)) throw error;
      repaired = true;
      await repairProjections(database);
      continue;
    }
    const { entries, touched, more } = batch;
    if (touched.length > 0) await onBatch(touched);
    total += entries;
    if (!more) break;
  }
  return total;
}

/**
 * Repairs projections after the database refused an update. Rows from the log always fit earlier ones, so someone else stored a conflicting
 * row. The repair removes it, and the status page names it.
 */
async function repairProjections(database: Database): Promise<void> {
  const rows: RowSetAside[] = [];
  await rebuildProjections(database, (row) => {
    if (rows.length < 100) rows.push(row);
  });
  await recordRowsSetAside(database, rows);
}

/** Reports whether {@link updateProjections} has work: unread entries, checkpoints, or changes of games and cappers. */
export async function projectionsBehind(database: Database): Promise<boolean> {
  const { rows }: { rows: { behind: boolean }[] } = await database.raw(
    `select coalesce((select next_seq from reader_cursors where reader = 'boards'), 0) < coalesce((select max(seq) + 1 from ledger_entries), 0)
       or coalesce((select next_seq from reader_cursors where reader = 'checkpoints'), 0) < coalesce((select max(size) from checkpoints), 0)
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
  if (kinds.has('settled')) await extendFollowers(transaction, from, to);
  if (kinds.has('posted')) await extendBlocks(transaction, from, to);
  const { covered, more } = await extendSealedInTime(transaction);
  const isLast = to - from < batchSize;
  const judged = isLast ? await extendVerdicts(transaction, to) : [];
  const changed: WorldChange[] = await transaction('world_changes')
    .delete()
    .returning(['subject', 'subject_id']);
  const changes = [...changed, ...(kinds.has('game_joined') ? await joinedGames(transaction, from, to) : [])];
  const checked = await extendPriceChecks(
    transaction,
    changes.flatMap(({ subject, subject_id }) => (subject === 'capper' ? [] : subject_id)),
  );
  return {
    entries: to - from,
    touched: [
      ...(await touchedTags(transaction, from, to, covered, checked, changes)),
      ...(judged.length === 0 ? [] : [tags.settled, ...judged.map((handle) => tags.capper(handle))]),
    ],
    more: more || !isLast,
  };
}

/**
 * Returns the tags to bump: those of the entries from `from` up to, but not including, `to`, of newly covered picks, of pending picks with
 * a new price verdict, and of changed games and cappers.
 */
async function touchedTags(
  transaction: Transaction,
  from: number,
  to: number,
  covered: readonly CoveredPick[],
  checked: readonly NamedPick[],
  changes: readonly WorldChange[],
): Promise<string[]> {
  const rows: (NamedPick & { kind: 'posted' | 'closed' | 'settled' })[] = await entriesIn(
    transaction,
    from,
    to,
  )
    .join('board_picks as b', 'b.pick_id', 'e.pick_id')
    .join('games as g', 'g.id', 'b.game_id')
    .select({
      kind: 'e.kind',
      uuid: 'e.uuid',
      handle: 'e.capper',
      sport: 'b.sport',
      game: 'g.name',
    });
  const keyed: string[] = await entriesIn(transaction, from, to)
    .join('capper_keys as k', 'k.id', 'e.capper_key_id')
    .join('cappers as c', 'c.id', 'k.capper_id')
    .where({ 'e.kind': 'capper_key' })
    .pluck('c.handle');
  const touched = [
    ...rows.flatMap((pick) => [tags[pick.kind], ...subjectTags(pick)]),
    // A checkpoint changes how answers show these picks, and the counts of late picks.
    ...covered.flatMap((pick) => [
      tags.posted,
      ...(pick.settled ? [tags.settled] : []),
      ...subjectTags(pick),
    ]),
    ...checked.flatMap((pick) => [tags.posted, ...subjectTags(pick)]),
    ...keyed.map(tags.capper),
    ...(await worldTags(transaction, changes)),
  ];
  return [...new Set(touched)];
}

function subjectTags({ uuid, handle, sport, game }: NamedPick): string[] {
  return [tags.sport(sport), tags.capper(handle), tags.pick(uuid), tags.game(sport, game)];
}

interface WorldChange {
  subject: 'game' | 'capper' | 'prices';
  subject_id: number;
}

async function joinedGames(transaction: Transaction, from: number, to: number): Promise<WorldChange[]> {
  const ids: number[] = await entriesIn(transaction, from, to)
    .join('game_joins as j', 'j.id', 'e.join_id')
    .joinRaw('join games g on g.id in (j.from_game, j.to_game)')
    .pluck('g.id');
  return ids.map((id) => ({ subject: 'game', subject_id: id }));
}

async function worldTags(transaction: Transaction, changes: readonly WorldChange[]): Promise<string[]> {
  if (changes.every(({ subject }) => subject === 'prices')) return [];
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
