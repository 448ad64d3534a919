import { advanceCursor } from '../ledger/advance-cursor.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { extendStreakOf } from './running-streaks.ts';
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
export async function followLog(
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
  const { from, to: nextSeq } = await advanceCursor(transaction, reader, batch);
  const entries = nextSeq - from;
  if (entries > 0) {
    await keepPicks(transaction, from, nextSeq);
    await keepRollups(transaction, from, nextSeq);
    await extendStreakOf(transaction, from, nextSeq);
  }
  return { entries, nextSeq, touched: await readTouches(transaction, from, nextSeq) };
}

/** `board_picks`: a pick's whole life in one row. Within a batch a pick may be posted, closed and settled at once. */
async function keepPicks(transaction: Transaction, from: number, to: number): Promise<void> {
  await transaction.raw(
    `insert into board_picks (pick_id, uuid, capper_id, tier, sport, game_id, market, side, line_e3, pick, odds_american, stake_e4,
       source, posted_at)
     select p.id, p.uuid, p.capper_id, p.tier, g.sport, p.game_id, p.market, p.side, p.line_e3, p.pick, p.odds_american,
       p.stake_e4, p.source, p.posted_at
     from ledger_entries e join picks p on p.id = e.pick_id join games g on g.id = p.game_id
     where e.seq >= :from and e.seq < :to and e.kind = 'posted'`,
    { from, to },
  );
  await transaction.raw(
    `update board_picks b set closed_at = k.closed_at, closing_odds = k.odds_american, clv_bps = k.clv_bps,
       same_line = k.line_e3 is not distinct from b.line_e3
     from ledger_entries e join closings k on k.pick_id = e.pick_id
     where e.seq >= :from and e.seq < :to and e.kind = 'closed' and b.pick_id = e.pick_id`,
    { from, to },
  );
  await transaction.raw(
    `update board_picks b set result = s.result, settled_at = s.settled_at, net_units_e4 = s.net_units_e4
     from ledger_entries e join settlements s on s.pick_id = e.pick_id
     where e.seq >= :from and e.seq < :to and e.kind = 'settled' and b.pick_id = e.pick_id`,
    { from, to },
  );
}

/** Rollups per capper, sport, market and ET day: what was posted by the day of posting, results by the day of settling. */
async function keepRollups(transaction: Transaction, from: number, to: number): Promise<void> {
  await transaction.raw(
    `insert into daily_rollups as r (capper_id, sport, market, day, posted, last_posted_at)
     select b.capper_id, b.sport, b.market, (b.posted_at at time zone 'America/New_York')::date, count(*), max(b.posted_at)
     from ledger_entries e join board_picks b on b.pick_id = e.pick_id
     where e.seq >= :from and e.seq < :to and e.kind = 'posted'
     group by 1, 2, 3, 4
     on conflict (capper_id, sport, market, day) do update set
       posted = r.posted + excluded.posted,
       last_posted_at = greatest(r.last_posted_at, excluded.last_posted_at)`,
    { from, to },
  );
  await transaction.raw(
    `insert into daily_rollups as r (capper_id, sport, market, day, wins, losses, pushes, voids, net_e4, staked_e4, clv_sum,
       clv_sample, clv_same_line_sample)
     select b.capper_id, b.sport, b.market, (b.settled_at at time zone 'America/New_York')::date,
       count(*) filter (where b.result = 'win'), count(*) filter (where b.result = 'loss'),
       count(*) filter (where b.result = 'push'), count(*) filter (where b.result = 'void'),
       sum(b.net_units_e4), coalesce(sum(b.stake_e4) filter (where b.result in ('win', 'loss')), 0),
       coalesce(sum(b.clv_bps), 0), count(b.clv_bps), count(*) filter (where b.clv_bps is not null and b.same_line)
     from ledger_entries e join board_picks b on b.pick_id = e.pick_id
     where e.seq >= :from and e.seq < :to and e.kind = 'settled'
     group by 1, 2, 3, 4
     on conflict (capper_id, sport, market, day) do update set
       wins = r.wins + excluded.wins, losses = r.losses + excluded.losses, pushes = r.pushes + excluded.pushes,
       voids = r.voids + excluded.voids, net_e4 = r.net_e4 + excluded.net_e4, staked_e4 = r.staked_e4 + excluded.staked_e4,
       clv_sum = r.clv_sum + excluded.clv_sum, clv_sample = r.clv_sample + excluded.clv_sample,
       clv_same_line_sample = r.clv_same_line_sample + excluded.clv_same_line_sample`,
    { from, to },
  );
}
