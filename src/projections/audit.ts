import { Difference } from '../ledger/difference.ts';
import type { Database } from '../platform/database.ts';
import {
  type DifferingRow,
  differingRows,
  projections,
  rangesIn,
  readableSize,
  readReaders,
} from './expected.ts';
import { auditPicksOfTheDay } from './pick-of-the-day.ts';

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
async function* auditCursors(database: Database): AsyncGenerator<Difference> {
  const { rows }: { rows: { reader: string; next: number; size: number }[] } = await database.raw(
    `select reader, next_seq as next, size from reader_cursors cross join lateral (${readableSize}) l
     where next_seq > size order by reader`,
  );
  for (const { reader, next, size } of rows)
    yield new Difference(
      'reader_cursors',
      `reader ${reader}`,
      'next_seq',
      `it is ${next}, but the reader can have read only ${size} entries`,
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
