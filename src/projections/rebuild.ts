import type { Database, Transaction } from '../platform/database.ts';
import { picksPerRow } from './capper-games.ts';
import {
  type DifferingRow,
  differingRows,
  type Projection,
  projections,
  type Range,
  rangesIn,
  readableSize,
  readReaders,
} from './expected.ts';

/** Rows that were repaired, by table. */
export type Repaired = Record<Projection['table'], number>;

/**
 * Makes the projections (`expected.ts`) what the log gives, where they are not. The boards' reader may run meanwhile:
 * each range is one short transaction under the lock of its cursors. Picks of the Day stay, since nothing else says what was chosen.
 */
export async function rebuildProjections(database: Database): Promise<Repaired> {
  const repaired = Object.fromEntries(projections.map(({ table }) => [table, 0])) as Repaired;
  await database.transaction(async (transaction) => {
    await stopReaders(transaction);
    // A cursor beyond the log would skip what is sealed next.
    await transaction.raw(
      `update reader_cursors set next_seq = (${readableSize})
       where reader in ('boards', 'checkpoints') and next_seq > (${readableSize})`,
    );
  });
  for (const projection of projections)
    for await (const range of rangesIn(database, projection.ranges.of))
      repaired[projection.table] += await repair(database, projection, range);
  return repaired;
}

/**
 * Makes right what the release before does not keep, of cappers whose totals say otherwise: its reader may have read on, and a table that a
 * migration has made is empty.
 * @returns the handles of these cappers
 */
export async function catchUp(database: Database): Promise<string[]> {
  const settled = (table: string) =>
    `select capper_id, sum(wins + losses + pushes + voids) as picks, sum(late) as late from ${table} group by capper_id`;
  const { rows }: { rows: { id: number; handle: string; behind: Projection['table'][] }[] } =
    await database.raw(
      `select * from (
         select c.id, c.handle, array_remove(array[
           case when (t.picks, t.late) is distinct from (coalesce(b.picks, 0), coalesce(b.late, 0)) then 'capper_bands' end,
           case when (t.picks, t.late) is distinct from (coalesce(m.picks, 0), coalesce(m.late, 0)) then 'capper_months' end,
           case when p.rows > (select coalesce(max(block) + 1, 0) from capper_games where capper_id = c.id) then 'capper_games' end
         ], null) as behind
         from (${settled('capper_totals')}) t
         join (select capper_id, sum(posted) / ${picksPerRow} as rows from capper_totals group by capper_id) p using (capper_id)
         left join (${settled('capper_bands')}) b using (capper_id)
         left join (${settled('capper_months')}) m using (capper_id)
         join cappers c on c.id = t.capper_id
       ) s
       where behind <> '{}'
       order by id`,
    );
  for (const { id, behind } of rows)
    for (const projection of projections)
      if (behind.includes(projection.table)) await repair(database, projection, { from: id, to: id + 1 });
  return rows.map(({ handle }) => handle);
}

/** @returns how many rows of the range were wrong */
async function repair(database: Database, projection: Projection, range: Range): Promise<number> {
  return database.transaction(async (transaction) => {
    await stopReaders(transaction);
    const rows = await differingRows(transaction, projection, range, await readReaders(transaction));
    await replace(transaction, projection.table, projection.keys, rows);
    return rows.length;
  });
}

/** Until the transaction ends no reader changes a projection. */
async function stopReaders(transaction: Transaction): Promise<void> {
  await transaction('reader_cursors')
    .whereIn('reader', ['boards', 'checkpoints'])
    .orderBy('reader')
    .forUpdate()
    .select('reader');
}

async function replace(
  transaction: Transaction,
  table: Projection['table'],
  keys: readonly string[],
  rows: readonly DifferingRow[],
): Promise<void> {
  const list = keys.join(', ');
  const stored = rows.flatMap(({ stored }) => (stored === null ? [] : [stored]));
  const expected = rows.flatMap(({ expected }) => (expected === null ? [] : [expected]));
  await transaction.raw(
    `delete from ${table} where (${list}) in (select ${list} from jsonb_populate_recordset(null::${table}, ?))`,
    [JSON.stringify(stored)],
  );
  await transaction.raw(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, ?)`, [
    JSON.stringify(expected),
  ]);
}
