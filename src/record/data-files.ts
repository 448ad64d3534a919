import { entriesIn } from '../ledger/sealing/advance-cursor.ts';
// The record as monthly Parquet files (docs/operations.md#data-files). A month is a range of the log: the entries that its checkpoints
// covered first. So it is complete once the month has passed, whatever is imported later, and nothing in its files can change.

import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { writeDurably } from '../ledger/publishing/durable-file.ts';
import { openSigner, type SigningConfig, storedOrigin } from '../ledger/publishing/identity.ts';
import type { LogStorage } from '../ledger/publishing/log-files/log-files.ts';
import { unpacked } from '../ledger/sealing/number-prices.ts';
import { dataIndexes } from '../ledger/sealing/recompute/keys.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type DataFile, signDataIndex } from '../proof/data-index.ts';
import { type ExportRow, exportColumns } from './export-columns.ts';
import { readInBatches, shownRow } from './export-rows.ts';
import { type ColumnType, type ParquetColumn, type ParquetRow, parquetRows } from './parquet.ts';
import { parquetRow, recordColumns } from './record-json.ts';

/** A month of the log: the entries from `from` up to `to`, exclusive. */
export interface DataMonth {
  /** `2026-10`, UTC. */
  month: string;
  from: number;
  to: number;
}

interface DataTable {
  name: string;
  about: string;
  columns: readonly ParquetColumn[];
  rows(database: Database, month: DataMonth): Knex.QueryBuilder | Knex.Raw;
  shown?(row: Record<string, unknown>, baseUrl: string): readonly ParquetRow[];
}

const columns = (types: Readonly<Record<string, ColumnType>>): ParquetColumn[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));

const isoText = (source: string, name: string) =>
  `to_char(${source} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${name}`;

const gamesOf = `(select distinct p.game_id from ledger_entries e join board_picks p on p.pick_id = e.pick_id
  where e.kind = 'settled' and e.seq >= :from and e.seq < :to)`;

export const dataTables: readonly DataTable[] = [
  {
    name: 'picks',
    about: 'A pick that settled, with every column of the record export.',
    columns: recordColumns,
    rows: (database, { from, to }) =>
      entriesIn(database, from, to)
        .join('board_picks as p', 'p.pick_id', 'e.pick_id')
        .join('games as g', 'g.id', 'p.game_id')
        .where('e.kind', 'settled')
        .orderBy('e.seq')
        .select(exportColumns.map(({ name, source }) => database.raw(`${source} as ??`, [name]))),
    shown: (row, baseUrl) => [parquetRow(shownRow(row) as ExportRow, baseUrl)],
  },
  {
    name: 'games',
    about: 'A game with such a pick: its start and scores.',
    columns: columns({
      game_id: 'big',
      sport: 'text',
      game: 'text',
      starts_at: 'instant',
      day: 'day',
      status: 'text',
      home_score: 'integer',
      away_score: 'integer',
      home_half_score: 'integer',
      away_half_score: 'integer',
      played: 'text',
      final_at: 'instant',
    }),
    rows: (database, { from, to }) =>
      database.raw(
        `select g.id as game_id, g.sport, g.name as game, ${isoText('g.starts_at', 'starts_at')}, g.day::text as day, g.status,
           g.home_score, g.away_score, g.home_half_score, g.away_half_score, g.played, ${isoText('g.final_at', 'final_at')}
         from games g where g.id in ${gamesOf} order by g.id`,
        { from, to },
      ),
  },
  {
    name: 'results',
    about: 'A statistic of a player in such a game, or the result of a bet that no score grades.',
    columns: columns({
      game_id: 'big',
      kind: 'text',
      subject: 'text',
      stat: 'text',
      value: 'number',
      market: 'text',
      side: 'text',
      line: 'number',
      result: 'text',
      half: 'boolean',
      source: 'text',
      final_at: 'instant',
    }),
    rows: (database, { from, to }) =>
      database.raw(
        `select * from (
           select game_id, 'stat' as kind, subject, stat, value_e3 / 1000.0::float8 as value, null as market, null as side,
             null::float8 as line, null as result, null::boolean as half, source, ${isoText('final_at', 'final_at')}
           from stats
           union all
           select game_id, 'result', subject, null, null, market, side, line_e3 / 1000.0::float8, result, half, null,
             ${isoText('final_at', 'final_at')}
           from results) r
         where game_id in ${gamesOf}
         order by game_id, kind collate "C", subject collate "C" nulls first, stat collate "C", market collate "C", side collate "C", line`,
        { from, to },
      ),
  },
  {
    name: 'cappers',
    about:
      'A run of picks that a capper posted under one tier, in the order of the log, up to the end of the month.',
    columns: columns({
      capper: 'text',
      tier: 'text',
      since: 'instant',
      until: 'instant',
      first_pick: 'integer',
      last_pick: 'integer',
    }),
    // The log has the tier of each pick, and no other history of tiers. Its times are those of the checkpoints that covered the picks.
    rows: (database, { to }) =>
      database.raw(
        `with picks_so_far as (
           select e.capper, e.capper_seq, e.seq, p.tier,
             lag(p.tier) over (partition by e.capper order by e.capper_seq) as before
           from ledger_entries e join picks p on p.id = e.pick_id where e.kind = 'posted' and e.seq < :to),
         changes as (
           select p.capper, p.tier, p.capper_seq as first_pick, t.signed_at,
             lead(p.capper_seq) over w as next_pick, lead(t.signed_at) over w as until
           from picks_so_far p cross join lateral (select signed_at from checkpoint_times where size > p.seq order by size limit 1) t
           where p.tier is distinct from p.before window w as (partition by p.capper order by p.capper_seq))
         select c.capper, c.tier, ${isoText('c.signed_at', 'since')}, ${isoText('c.until', 'until')}, c.first_pick,
           coalesce(c.next_pick - 1, (select max(capper_seq) from picks_so_far p where p.capper = c.capper)) as last_pick
         from changes c order by c.capper collate "C", c.first_pick`,
        { to },
      ),
  },
];

/** Only with `PUBLISH_PRICES`. */
const pricesTable: DataTable = {
  name: 'prices',
  about: 'A stored price, as the log has it.',
  columns: columns({
    price_seq: 'big',
    sport: 'text',
    game: 'text',
    starts_at: 'instant',
    day: 'day',
    market: 'text',
    subject: 'text',
    side: 'text',
    line_e3: 'integer',
    odds_american: 'integer',
    book: 'text',
    captured_at: 'instant',
    stored_at: 'instant',
    source: 'text',
    closing: 'boolean',
  }),
  rows: (database, { from, to }) =>
    entriesIn(database, from, to)
      .join('price_batches as b', 'b.id', 'e.prices_id')
      .orderBy('e.seq')
      .select('b.rows'),
  shown: ({ rows }) => unpacked(rows as Buffer).map((text) => JSON.parse(text)),
};

export interface DataFilesConfig extends SigningConfig {
  dataFiles: string;
  publishPrices: boolean;
  baseUrl: string;
  /** A second place: `LOG_FILES`. */
  storage?: LogStorage | undefined;
}

/** The past ones with entries. */
export async function completeMonths(database: Database, now: EpochMs): Promise<DataMonth[]> {
  const { rows }: { rows: { month: string; to: number }[] } = await database.raw(
    `select month, size as "to" from (
       select to_char(date_trunc('month', signed_at at time zone 'UTC'), 'YYYY-MM') as month, max(size) as size
       from checkpoint_times group by 1) m
     where month < :month and size <= coalesce((select next_seq from reader_cursors where reader = 'boards'), 0)
     order by month`,
    { month: iso(now).slice(0, 7) },
  );
  return rows.map((row, at) => ({ ...row, from: rows[at - 1]?.to ?? 0 }));
}

/** Null before the first. */
export function storedIndex(folder: string): string | null {
  try {
    return readFileSync(join(folder, 'index'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes the files of past months that the newest index does not list, and stores the next index, which sealing puts into the log.
 * @returns the names of new files
 * @throws Error if a listed file is missing and cannot be written with the content that the index lists
 */
export async function writeDataFiles(
  database: Database,
  { dataFiles: folder, publishPrices, baseUrl, storage, ...signing }: DataFilesConfig,
  now: number,
): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const last = (await dataIndexes(database)).findLast(({ index }) => index !== undefined);
  const known = last?.index?.files ?? [];
  const files: DataFile[] = [...known];
  const tables = publishPrices ? [...dataTables, pricesTable] : dataTables;
  for (const month of await completeMonths(database, now))
    for (const table of tables) {
      const name = `${table.name}-${month.month}.parquet`;
      const path = join(folder, name);
      const before = known.find((file) => file.name === name);
      if (before !== undefined && existsSync(path)) continue;
      const written = await writeTable(database, path, table, month, baseUrl);
      if (before === undefined) files.push({ name, ...written });
      else if (written.sha256 !== before.sha256) {
        rmSync(path);
        throw new Error(
          `${name} is missing, and the database gives another content by now: restore it from LOG_FILES or a backup of DATA_FILES`,
        );
      }
    }
  const added = files.slice(known.length);
  let note = last?.note ?? null;
  if (added.length > 0) {
    const origin = (await storedOrigin(database))!;
    note = await signDataIndex({ origin, at: iso(now), files }, await openSigner(origin, signing));
    // The index comes last, so that it never lists a file that is missing.
    for (const { name } of added)
      await storage?.write(`data/${name}`, readFileSync(join(folder, name)), true);
    await database('data_indexes').insert({ note });
  }
  // Also after an earlier call that stored the index in the database and ended.
  if (note !== null && note !== storedIndex(folder)) {
    await storage?.write('data/index', Buffer.from(note), false);
    writeDurably(join(folder, 'index'), note);
  }
  return added.map(({ name }) => name);
}

async function writeTable(
  database: Database,
  path: string,
  { columns, rows, shown }: DataTable,
  month: DataMonth,
  baseUrl: string,
): Promise<Pick<DataFile, 'sha256' | 'bytes'>> {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o644);
  const hash = createHash('sha256');
  let bytes = 0;
  const write = (chunk: Buffer) => {
    writeSync(file, chunk);
    hash.update(chunk);
    bytes += chunk.length;
  };
  try {
    const about = { month: month.month, from_seq: String(month.from), to_seq: String(month.to) };
    const parquet = parquetRows(columns, about);
    await readInBatches<Record<string, unknown>>(database, rows(database, month), 100, (found) => {
      parquet.add(shown === undefined ? found : found.flatMap((row) => shown(row, baseUrl)));
      write(parquet.taken());
    });
    write(parquet.end());
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  return { sha256: hash.digest('hex'), bytes };
}
