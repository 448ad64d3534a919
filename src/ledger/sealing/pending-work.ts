import { gradedByScore, scoredSides } from '../../games/scored-picks.ts';
import type { Database } from '../../platform/database.ts';

/** What is stored and not yet graded, sealed or shown. */
export interface PendingWork {
  /** Events without a `seq`. */
  unsealed: number;
  /** Entries of the log that the boards' reader has not reached. */
  unread: number;
  /** Picks without a settlement on games that are over, and games with new statistics that nobody has looked at. */
  ungraded: number;
}

/** Counts pending work; all zero when the boards show everything. */
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

/** What the sealing worker has to do. */
export interface SealingWork {
  /** Whether events wait for a `seq`. */
  unsealed: boolean;
  /** Whether a checkpoint is missing, or the publisher refuses: then it has to try again. */
  unpublished: boolean;
}

/** Looks for all of it with one statement. */
export async function sealingWork(database: Database): Promise<SealingWork> {
  const { rows }: { rows: SealingWork[] } = await database.raw(
    `select exists (select from unsealed_events) as unsealed,
       coalesce((select max(seq) + 1 from ledger_entries), 0) > coalesce((select max(size) from checkpoints), 0)
         or exists (select from publisher_refusals where cleared_at is null) as unpublished`,
  );
  return rows[0]!;
}
