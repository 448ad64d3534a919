import type { Database, Transaction } from '../platform/database.ts';
import type { ValueCount } from '../rules/percentiles.ts';

/** The rows of `capper_clv_counts` for some picks, as a query. @param picks what follows FROM, with the picks of `board_picks` as `b` */
export function clvCountsOf(picks: string): string {
  return `select b.capper_id, b.sport, b.clv_bps, count(*)::int as picks
    from ${picks} and b.clv_bps is not null and b.same_line group by 1, 2, 3`;
}

/** Adds the closings among the entries from `from` up to, not including, `to` to `capper_clv_counts`. */
export async function extendClvCounts(transaction: Transaction, from: number, to: number): Promise<void> {
  const closed = `ledger_entries e join board_picks b on b.pick_id = e.pick_id
    where e.seq >= :from and e.seq < :to and e.kind = 'closed'`;
  await transaction.raw(
    `insert into capper_clv_counts as r (capper_id, sport, clv_bps, picks) ${clvCountsOf(closed)}
     on conflict (capper_id, sport, clv_bps) do update set picks = r.picks + excluded.picks`,
    { from, to },
  );
}

/** How often each CLV (basis points) occurs among all of a capper's picks that closed at their own line, ascending. */
export async function clvCounts(database: Database, capperId: number): Promise<ValueCount[]> {
  const rows: { value: number; count: number }[] = await database('capper_clv_counts')
    .where('capper_id', capperId)
    .groupBy('clv_bps')
    .orderBy('clv_bps')
    .select({ value: 'clv_bps', count: database.raw('sum(picks)::int') });
  return rows.map(({ value, count }) => [value, count]);
}

/** {@link clvCounts} of each sport, the sports in order of their keys. */
export async function clvCountsBySport(
  database: Database,
  capperId: number,
): Promise<Map<string, ValueCount[]>> {
  const rows: { sport: string; value: number; count: number }[] = await database('capper_clv_counts')
    .where('capper_id', capperId)
    .orderByRaw('sport collate "C", clv_bps')
    .select({ sport: 'sport', value: 'clv_bps', count: 'picks' });
  const sports = new Map<string, ValueCount[]>();
  for (const { sport, value, count } of rows) {
    const counts = sports.get(sport) ?? [];
    sports.set(sport, counts);
    counts.push([value, count]);
  }
  return sports;
}
