import type { Database, Transaction } from '../platform/database.ts';
import type { ValueCount } from '../rules/percentiles.ts';

/** Values of CLV (basis points) in a row of `capper_clv_counts`; a power of 2. Boards read a block for each row that a capper has. */
const values = 16;

const each = (count: (place: number) => string) =>
  `array[${Array.from({ length: values }, (_, i) => count(i)).join(', ')}]`;

/** The rows of `capper_clv_counts` for some picks, as a query. @param picks what follows FROM, with the picks of `board_picks` as `b` */
export function clvCountsOf(picks: string): string {
  return `select b.capper_id, b.sport, b.clv_bps & ${-values} as from_bps,
      ${each((place) => `count(*) filter (where b.clv_bps & ${values - 1} = ${place})`)}::int[] as picks
    from ${picks} and b.clv_bps is not null and b.same_line group by 1, 2, 3`;
}

/** Adds the closings among the entries from `from` up to, not including, `to` to `capper_clv_counts`. */
export async function extendClvCounts(transaction: Transaction, from: number, to: number): Promise<void> {
  const closed = `ledger_entries e join board_picks b on b.pick_id = e.pick_id
    where e.seq >= :from and e.seq < :to and e.kind = 'closed'`;
  await transaction.raw(
    `insert into capper_clv_counts as r (capper_id, sport, from_bps, picks) ${clvCountsOf(closed)}
     on conflict (capper_id, sport, from_bps) do update set
       picks = ${each((place) => `r.picks[${place + 1}] + excluded.picks[${place + 1}]`)}`,
    { from, to },
  );
}

/** How often each CLV (basis points) occurs among all of a capper's picks that closed at their own line, ascending. */
export async function clvCounts(database: Database, capperId: number): Promise<ValueCount[]> {
  const picks = new Map<number, number>();
  for (const counts of (await clvCountsBySport(database, capperId)).values())
    for (const [value, count] of counts) picks.set(value, (picks.get(value) ?? 0) + count);
  return [...picks].sort(([a], [b]) => a - b);
}

/** {@link clvCounts} of each sport, the sports in order of their keys. */
export async function clvCountsBySport(
  database: Database,
  capperId: number,
): Promise<Map<string, ValueCount[]>> {
  // Lists in place of a row for each part: reading rows costs several times what finding them does.
  const { rows }: { rows: { sport: string; starts: number[]; counts: number[][] }[] } = await database.raw(
    `select sport, to_json(array_agg(from_bps order by from_bps)) as starts, to_json(array_agg(picks order by from_bps)) as counts
     from capper_clv_counts where capper_id = ? group by sport order by sport collate "C"`,
    [capperId],
  );
  return new Map(
    rows.map(({ sport, starts, counts }) => [
      sport,
      starts.flatMap((start, index) =>
        counts[index]!.flatMap((count, place): ValueCount[] => (count > 0 ? [[start + place, count]] : [])),
      ),
    ]),
  );
}
