import { gradedByScore, scoredSides } from '../../games/scored-picks.ts';
import type { Database } from '../../platform/database.ts';
import { pricesAreDue, pricesEveryMs } from './number-prices.ts';

export interface PendingWork {
  unsealed: number;
  /** Entries that the boards' reader has not read. */
  unread: number;
  /** Unsettled picks on ended games, plus games with unprocessed statistics. */
  ungraded: number;
}

/** All counts are zero if the boards are up to date. */
export async function pendingWork(database: Database): Promise<PendingWork> {
  const { rows }: { rows: PendingWork[] } = await database.raw(
    `select
       (select count(*) from unsealed_events)::int as unsealed,
       (coalesce((select max(seq) + 1 from ledger_entries), 0)
         - coalesce((select next_seq from reader_cursors where reader = 'boards'), 0))::int as unread,
       (select count(*) from pending_picks p join games g on g.id = p.game_id
         where g.status = 'cancelled' or ${gradedByScore})::int
         + (select count(*) from due_games d where d.due_at = 'epoch'
           and exists (select from stats t where t.game_id = d.game_id))::int as ungraded`,
    scoredSides,
  );
  return rows[0]!;
}

export function isDone({ unsealed, unread, ungraded }: PendingWork): boolean {
  return unsealed + unread + ungraded === 0;
}

export interface SealingWork {
  /** Whether unsealed events exist, or prices are due. */
  unsealed: boolean;
  /** Whether entries lack a checkpoint. */
  unpublished: boolean;
  /** Whether an open refusal requires another attempt. */
  refused: boolean;
}

export async function sealingWork(database: Database): Promise<SealingWork> {
  const { rows }: { rows: SealingWork[] } = await database.raw(
    `select exists (select from unsealed_events) or (${pricesAreDue}) as unsealed,
       coalesce((select max(seq) + 1 from ledger_entries), 0) > coalesce((select max(size) from checkpoints), 0) as unpublished,
       exists (select from publisher_refusals where cleared_at is null) as refused`,
    { everyMs: pricesEveryMs },
  );
  return rows[0]!;
}
