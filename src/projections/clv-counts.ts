import type { Database } from '../platform/database.ts';
import type { ValueCount } from '../rules/percentiles.ts';

/** How often each CLV (basis points) occurs among all of a capper's picks that closed at their own line, ascending. */
export async function clvCounts(database: Database, capperId: number): Promise<ValueCount[]> {
  const rows: { value: number; count: number }[] = await database('board_picks')
    .where('capper_id', capperId)
    .whereNotNull('clv_bps')
    .where('same_line', true)
    .groupBy('clv_bps')
    .orderBy('clv_bps')
    .select({ value: 'clv_bps', count: database.raw('count(*)::int') });
  return rows.map(({ value, count }) => [value, count]);
}

/** {@link clvCounts} of each sport, the sports in order of their keys. */
export async function clvCountsBySport(
  database: Database,
  capperId: number,
): Promise<Map<string, ValueCount[]>> {
  const rows: { sport: string; value: number; count: number }[] = await database('board_picks')
    .where('capper_id', capperId)
    .whereNotNull('clv_bps')
    .where('same_line', true)
    .groupBy('sport', 'clv_bps')
    .orderByRaw('sport collate "C", clv_bps')
    .select({ sport: 'sport', value: 'clv_bps', count: database.raw('count(*)::int') });
  const sports = new Map<string, ValueCount[]>();
  for (const { sport, value, count } of rows) {
    const counts = sports.get(sport) ?? [];
    sports.set(sport, counts);
    counts.push([value, count]);
  }
  return sports;
}
