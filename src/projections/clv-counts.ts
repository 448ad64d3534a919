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
  const [row] = await distributions(
    database,
    `select clv_bps, sum(picks)::int as picks from capper_clv_counts where capper_id = ? group by 1`,
    capperId,
  );
  return row === undefined ? [] : countsOf(row);
}

/** {@link clvCounts} of each sport, the sports in order of their keys. */
export async function clvCountsBySport(
  database: Database,
  capperId: number,
): Promise<Map<string, ValueCount[]>> {
  const rows = await distributions(
    database,
    'select sport, clv_bps, picks from capper_clv_counts where capper_id = ?',
    capperId,
    'sport',
  );
  return new Map(rows.map((row) => [row.sport!, countsOf(row)]));
}

/** Values in ascending order, and the count of each. */
interface Distribution {
  sport?: string;
  values: number[];
  counts: number[];
}

/** Lists in place of a row for each value: of a thousand rows, reading them costs several times what finding them does. */
async function distributions(
  database: Database,
  counts: string,
  capperId: number,
  by?: 'sport',
): Promise<Distribution[]> {
  const { rows }: { rows: Distribution[] } = await database.raw(
    `select ${by === undefined ? '' : `${by},`} to_json(array_agg(clv_bps order by clv_bps)) as "values",
       to_json(array_agg(picks order by clv_bps)) as counts
     from (${counts}) c ${by === undefined ? 'having count(*) > 0' : `group by ${by} order by ${by} collate "C"`}`,
    [capperId],
  );
  return rows;
}

function countsOf({ values, counts }: Distribution): ValueCount[] {
  return values.map((value, index) => [value, counts[index]!]);
}
