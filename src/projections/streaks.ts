import type { Database, Transaction } from '../platform/database.ts';
import { extendStreak, noStreak, type SettledPick, type Streak, streakOf } from '../rules/streak.ts';

type Settled = SettledPick & { capperId: number };

/**
 * Extends the running streaks of cappers by the picks that settled in the entries from `from` up to, not including, `to`. Where a pick
 * settled before the last one counted (imported history), its capper's streak is computed again.
 */
export async function extendStreaks(transaction: Transaction, from: number, to: number): Promise<void> {
  const settled: Settled[] = await transaction('ledger_entries as e')
    .join('board_picks as b', 'b.pick_id', 'e.pick_id')
    .where('e.kind', 'settled')
    .where('e.seq', '>=', from)
    .where('e.seq', '<', to)
    .orderBy(['b.settled_at', 'b.posted_at', 'b.uuid'])
    .select(columns);
  if (settled.length === 0) return;
  const before = await storedStreaks(transaction, [...new Set(settled.map(({ capperId }) => capperId))]);
  const after = new Map<number, Streak>();
  const late = new Set<number>();
  for (const pick of settled) {
    const streak = after.get(pick.capperId) ?? before.get(pick.capperId) ?? noStreak;
    const next = extendStreak(streak, pick);
    if (next === null) late.add(pick.capperId);
    else after.set(pick.capperId, next);
  }
  for (const capperId of late) after.set(capperId, await recomputedStreak(transaction, capperId));
  await storeStreaks(transaction, after);
}

const columns = {
  capperId: 'b.capper_id',
  result: 'b.result',
  settledAt: 'b.settled_at',
  postedAt: 'b.posted_at',
  pickUuid: 'b.uuid',
};

/** Reads backwards from the latest pick to the first result of the other kind, so the cost is the length of the streak. */
async function recomputedStreak(database: Database, capperId: number): Promise<Streak> {
  const page = 200;
  const picks: Settled[] = [];
  for (;;) {
    const next: Settled[] = await database('board_picks as b')
      .where('b.capper_id', capperId)
      .whereNotNull('b.result')
      .orderBy([
        { column: 'b.settled_at', order: 'desc' },
        { column: 'b.posted_at', order: 'desc' },
        { column: 'b.uuid', order: 'desc' },
      ])
      .offset(picks.length)
      .limit(page)
      .select(columns);
    picks.push(...next);
    const kinds = new Set(
      picks.map(({ result }) => result).filter((result) => result === 'win' || result === 'loss'),
    );
    if (kinds.size === 2 || next.length < page) return streakOf(picks);
  }
}

async function storedStreaks(transaction: Transaction, capperIds: number[]): Promise<Map<number, Streak>> {
  const rows: (Streak & { capperId: number })[] = await transaction('capper_streaks')
    .whereIn('capper_id', capperIds)
    .select({
      capperId: 'capper_id',
      kind: 'kind',
      length: 'length',
      since: 'since',
      lastSettledAt: 'last_settled_at',
      lastPostedAt: 'last_posted_at',
      lastPickUuid: 'last_uuid',
    });
  return new Map(rows.map(({ capperId, ...streak }) => [capperId, streak]));
}

/** What {@link extendStreaks} makes of all picks in `board_picks`: rows of `capper_streaks` of the cappers with ids in a range. */
export async function streakRows(
  database: Database,
  { from, to }: { from: number | string | null; to: number | string | null },
): Promise<object[]> {
  const capperIds: number[] = await database('cappers as c')
    .modify((query) => {
      if (from !== null) query.where('c.id', '>=', from);
      if (to !== null) query.where('c.id', '<', to);
    })
    .whereExists(database('board_picks as b').whereRaw('b.capper_id = c.id').whereNotNull('b.result'))
    .orderBy('c.id')
    .pluck('c.id');
  const rows: object[] = [];
  for (const capperId of capperIds) rows.push(rowOf(capperId, await recomputedStreak(database, capperId)));
  return rows;
}

async function storeStreaks(transaction: Transaction, streaks: ReadonlyMap<number, Streak>): Promise<void> {
  const rows = [...streaks].map(([capperId, streak]) => rowOf(capperId, streak));
  if (rows.length > 0) await transaction('capper_streaks').insert(rows).onConflict('capper_id').merge();
}

/** A row of `capper_streaks`. */
function rowOf(capperId: number, streak: Streak) {
  const at = (instant: number | null) => (instant === null ? null : new Date(instant));
  return {
    capper_id: capperId,
    kind: streak.kind,
    length: streak.length,
    since: at(streak.since),
    last_settled_at: at(streak.lastSettledAt),
    last_posted_at: at(streak.lastPostedAt),
    last_uuid: streak.lastPickUuid,
  };
}
