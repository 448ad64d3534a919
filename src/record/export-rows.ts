import type { Knex } from 'knex';
import type { Database } from '../platform/database.ts';
import { feedPicks } from '../projections/board-picks.ts';
import { idBefore } from '../projections/pick-blocks.ts';
import { type ExportRow, exportColumns } from './export-columns.ts';
import type { ExportFilter } from './export-filter.ts';

export interface RecordWriter {
  add(rows: readonly ExportRow[]): void;
  end(): Buffer;
}

const batchLength = 100;

/** Sports are slugs, so no other text has rows. */
const slug = /^[a-z0-9][a-z0-9_-]*$/;

/** Newest first, or oldest first by id with `since` or `after_id` (docs/rules/answers.md#the-record-export). @returns the writer's text */
export async function readRecord(
  database: Database,
  { since, sport, limit, afterId, capper }: ExportFilter,
  writer: RecordWriter,
): Promise<Buffer> {
  if (sport !== null && !slug.test(sport)) return writer.end();
  const [known]: number[] =
    capper === null ? [] : await database('cappers').where({ handle: capper }).pluck('id');
  const capperId = known ?? null;
  if (capper !== null && capperId === null) return writer.end();
  const from = since === null ? afterId : await idBefore(database, since, afterId ?? 0);
  if (since !== null && from === null) return writer.end();
  const query = database
    .from(sourceOf(database, { from, since, sport, limit, capperId }) as string)
    .join('games as g', 'g.id', 'p.game_id')
    .modify((rows) => {
      if (sport !== null && (from !== null || capperId !== null)) rows.where('p.sport', sport);
      if (from === null) return rows.orderBy('p.posted_at', 'desc').orderBy('p.pick_id', 'desc');
      if (since !== null) rows.whereRaw(`p.posted_at >= to_timestamp(${since / 1000})`);
      return rows.where('p.pick_id', '>', from).orderBy('p.pick_id');
    })
    .limit(limit)
    .select(exportColumns.map(({ name, source }) => database.raw(`${source} as ??`, [name])));
  await readInBatches<Record<string, unknown>>(database, query, batchLength, (rows) =>
    writer.add(rows.map(shownRow)),
  );
  return writer.end();
}

/** Replaces the stored values of a row with the shown ones, in place. */
export function shownRow(row: Record<string, unknown>): ExportRow {
  for (const { name, type } of exportColumns) row[name] = type.show(row[name] as never);
  return row as ExportRow;
}

/** Returns `board_picks as p`, or a subset of it that contains all rows. */
function sourceOf(
  database: Database,
  {
    from,
    since,
    sport,
    limit,
    capperId,
  }: Pick<ExportFilter, 'since' | 'sport' | 'limit'> & { from: number | null; capperId: number | null },
): Knex.Raw | string {
  // Without `offset 0`, PostgreSQL could read the picks of everybody in order, looking for those of a capper who has few.
  if (capperId !== null)
    return database.raw('(select * from board_picks where capper_id = ? offset 0) as p', [capperId]);
  if (from === null)
    return sport === null ? 'board_picks as p' : feedPicks(database, 'posted, by id', { sport }, limit);
  if (since === null) return 'board_picks as p';
  // Ids and times increase together, but PostgreSQL does not know this. It expects few rows after both, and would read and sort all later
  // picks. `offset 0` makes it read by id until the limit is reached.
  const ofSport = sport === null ? database.raw('true') : database.raw('sport = ?', [sport]);
  return database.raw('(select * from board_picks where pick_id > ? and ? order by pick_id offset 0) as p', [
    from,
    ofSport,
  ]);
}

/** The projections' position in the log, and a digest of the unverified cappers. The same version means the same rows. */
export async function recordVersion(database: Database): Promise<string> {
  const { rows }: { rows: { version: string }[] } = await database.raw(
    `select concat_ws(' ',
       coalesce((select next_seq from reader_cursors where reader = 'boards'), 0),
       (select md5(string_agg(id::text, ' ' order by id)) from cappers where not verified)) as version`,
  );
  return rows[0]!.version;
}

/**
 * Reads the rows of a query through a PostgreSQL cursor. All rows come from one snapshot, and memory holds only one batch. The process
 * serves other requests between batches.
 * @param length rows per batch; `onRows` should take only a few milliseconds for one
 */
export async function readInBatches<Row>(
  database: Database,
  query: Knex.QueryBuilder | Knex.Raw,
  length: number,
  onRows: (rows: readonly Row[]) => void,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.raw('declare batches no scroll cursor for ?', [query]);
    for (;;) {
      const { rows }: { rows: Row[] } = await transaction.raw(`fetch ${length} from batches`);
      if (rows.length > 0) onRows(rows);
      if (rows.length < length) break;
    }
    await transaction.raw('close batches');
  });
}
