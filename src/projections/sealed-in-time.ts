import { lockCursor } from '../ledger/advance-cursor.ts';
import type { Transaction } from '../platform/database.ts';
import { assignments, boardPickColumns } from './extend-board-picks.ts';
import { addLate } from './rollups.ts';

/** Entries per transaction. */
const batchSize = 5_000;
const reader = 'checkpoints';

/** A pick that a checkpoint covers for the first time. */
export interface CoveredPick {
  uuid: string;
  handle: string;
  sport: string;
  game: string;
  settled: boolean;
}

/**
 * Notes on picks in `board_picks` which checkpoint covered them first, and whether that was before the start that they name
 * (docs/decisions/0031-sealed-in-time.md). Reads on from a cursor of its own, as far as both the checkpoints and the boards' reader are.
 * @returns the picks of this batch, and whether there may be more
 */
export async function extendSealedInTime(
  transaction: Transaction,
): Promise<{ covered: CoveredPick[]; more: boolean }> {
  const from = await lockCursor(transaction, reader);
  const { rows: ends }: { rows: { to: number }[] } = await transaction.raw(
    `select least(?::bigint, b.next_seq, coalesce((select max(size) from checkpoint_times), 0)) as "to"
     from reader_cursors b where b.reader = 'boards'`,
    [from + batchSize],
  );
  const { to } = ends[0]!;
  if (to <= from) return { covered: [], more: false };
  await transaction('reader_cursors').where({ reader }).update({ next_seq: to });
  const covered = await coverPicks(transaction, from, to);
  return { covered, more: to === from + batchSize };
}

/**
 * The first checkpoint counts, also where a new log began later. Late picks that settled before are added to the sums; the others are
 * counted when they settle.
 */
async function coverPicks(transaction: Transaction, from: number, to: number): Promise<CoveredPick[]> {
  const { rows }: { rows: (CoveredPick & { pickId: number })[] } = await transaction.raw(
    `with covered as (
       update board_picks b set ${assignments(boardPickColumns.covered)}
       from ledger_entries e join picks p on p.id = e.pick_id
       cross join lateral (select signed_at, witnessed_at from checkpoint_times where size > e.seq order by size limit 1) t
       where e.seq >= :from and e.seq < :to and e.kind = 'posted' and b.pick_id = e.pick_id and b.sealed_at is null
       returning b.*
     )
     select b.pick_id as "pickId", b.uuid, c.handle, b.sport, g.name as game, b.result is not null as settled
     from covered b join cappers c on c.id = b.capper_id join games g on g.id = b.game_id`,
    { from, to },
  );
  const settled = rows.filter((pick) => pick.settled).map(({ pickId }) => pickId);
  if (settled.length > 0) await addLate(transaction, settled);
  return rows;
}
