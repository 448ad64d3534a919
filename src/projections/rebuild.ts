import { Difference, differencesIn } from '../ledger/difference.ts';
import type { Database, Transaction } from '../platform/database.ts';
import {
  type DifferingRow,
  differingRows,
  keptColumns,
  type Projection,
  projections,
  type Range,
  rangesIn,
  readableSize,
  readReaders,
} from './expected.ts';
import { auditPicksOfTheDay } from './pick-of-the-day.ts';

export type Repaired = Record<Projection['table'], number>;

/**
 * Repairs all rows of the projections (`expected.ts`) that differ from the log. The boards' reader can run meanwhile: each range is a short
 * transaction that holds the lock of the readers' cursors. Does not touch Picks of the Day, which nothing else records.
 * @param onRow called with each wrong row
 */
export async function rebuildProjections(
  database: Database,
  onRow: (row: { table: string; row: string; reason: string }) => void = () => {},
): Promise<Repaired> {
  const repaired = Object.fromEntries(projections.map(({ table }) => [table, 0])) as Repaired;
  await database.transaction(async (transaction) => {
    await stopReaders(transaction);
    // A cursor beyond the log would skip the next entries.
    await transaction.raw(
      `update reader_cursors set next_seq = (${readableSize})
       where reader in ('boards', 'checkpoints', 'verdicts') and next_seq > (${readableSize})`,
    );
  });
  for (const projection of projections)
    for await (const range of rangesIn(database, projection.ranges.of))
      for (const { expected, stored } of await repair(database, projection, range)) {
        const { table, keys } = projection;
        repaired[table] += 1;
        const row = keys.map((key) => `${key} ${(stored ?? expected)![key]}`).join(', ');
        const reason = expected === null ? 'the log gives no such row' : 'it differed from the log';
        onRow({ table, row, reason });
      }
  return repaired;
}

async function repair(database: Database, projection: Projection, range: Range): Promise<DifferingRow[]> {
  return database.transaction(async (transaction) => {
    await stopReaders(transaction);
    const rows = await differingRows(transaction, projection, range, await readReaders(transaction));
    if (rows.length === 0) return rows;
    await replace(transaction, projection.table, projection.keys, rows);
    await transaction('reader_cursors').where({ reader: 'boards' }).increment('repairs');
    return rows;
  });
}

/** Keeps readers from changing projections until the transaction ends. */
async function stopReaders(transaction: Transaction): Promise<void> {
  await transaction('reader_cursors')
    .whereIn('reader', ['boards', 'checkpoints', 'verdicts'])
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
  const columns = (await keptColumns(transaction, table)).join(', ');
  await transaction.raw(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, ?)`,
    [JSON.stringify(expected)],
  );
}

/**
 * Compares the projections (`expected.ts`) with the log, as far as their readers have read it, and checks each Pick of the Day. Works range
 * by range, so memory does not grow with the log. `rebuild` repairs its findings.
 */
export async function* auditProjections(database: Database): AsyncGenerator<Difference> {
  yield* auditCursors(database);
  const readers = await readReaders(database);
  for (const projection of projections) {
    const { table, keys, ranges } = projection;
    for await (const range of rangesIn(database, ranges.of)) {
      const rows = await differingRows(database, projection, range, readers);
      if (rows.length === 0) continue;
      const handles = await handlesOf(
        database,
        keys.includes('capper_id') ? rows.map((row) => named(row).capper_id as number) : [],
      );
      for (const row of rows) yield* differences(table, keys, row, handles);
    }
  }
  yield* auditPicksOfTheDay(database);
}

/** Finds cursors beyond the log, which would skip the next entries. */
function auditCursors(database: Database): AsyncGenerator<Difference> {
  return differencesIn(
    database,
    `select 'reader_cursors' as "table", 'reader ' || reader as row, 'next_seq' as column,
       format('it is %s, but the reader can have read only %s entries', next_seq, size) as sentence
     from reader_cursors cross join lateral (${readableSize}) l where next_seq > size order by reader`,
  );
}

const named = ({ expected, stored }: DifferingRow) => (expected ?? stored)!;

function* differences(
  table: string,
  keys: readonly string[],
  row: DifferingRow,
  handles: ReadonlyMap<number, string>,
): Generator<Difference> {
  const { expected, stored } = row;
  const name = keys
    .map((key) => {
      if (key === 'pick_id') return `pick ${named(row).uuid ?? `number ${named(row).pick_id}`}`;
      const value = named(row)[key];
      return key === 'capper_id' ? `capper ${handles.get(value as number) ?? `number ${value}`}` : `${value}`;
    })
    .join(' ');
  if (stored === null) yield new Difference(table, name, null, 'it is missing, but the log gives it');
  else if (expected === null) yield new Difference(table, name, null, 'the log gives no such row');
  else
    for (const column of Object.keys(stored)) {
      const [is, must] = [JSON.stringify(stored[column]), JSON.stringify(expected[column])];
      if (is !== must) yield new Difference(table, name, column, `it is ${is}, but the log gives ${must}`);
    }
}

async function handlesOf(database: Database, ids: readonly number[]): Promise<Map<number, string>> {
  const rows: { id: number; handle: string }[] = await database('cappers')
    .whereRaw('id = any(?::bigint[])', [[...new Set(ids)]])
    .select('id', 'handle');
  return new Map(rows.map(({ id, handle }) => [id, handle]));
}
