import type { Knex } from 'knex';
import type { Database } from '../platform/database.ts';
import { idBefore } from '../projections/changes.ts';
import { feedPicks } from '../projections/feed-picks.ts';
import type { ExportFilter } from './export-filter.ts';

/** A row of the record export, as version 1 names its fields (docs/decisions/0017-record-export.md). */
export interface ExportRow {
  id: number;
  sport: string;
  game: string;
  market: string;
  pick: string;
  odds_american: number;
  /** Ten-thousandths of a unit. */
  stake_e4: number;
  result: string;
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  posted_at: string;
  graded_at: string | null;
  closing_odds: number | null;
  clv_bps: number | null;
  source: string;
  provenance: string;
}

/** A row as PostgreSQL writes it: the columns of {@link exportRows}' select, in their order. */
type Cells = readonly [
  id: string,
  sport: string,
  game: string,
  market: string,
  pick: string,
  odds: string,
  stake: string,
  result: string | null,
  postedAt: string,
  gradedAt: string | null,
  closingOdds: string | null,
  clvBps: string | null,
  source: string,
  provenance: string,
];

/** Parsing each value by its type, and each instant to a number and back, would take as long as the query itself. */
const asText = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } };

/** A row of the CSV as PostgreSQL writes it: what follows the texts and precedes the instants is one value, as the line has it. */
export type CsvCells = readonly [
  id: string,
  sport: string,
  game: string,
  market: string,
  pick: string,
  figures: string,
  postedAt: string,
  gradedAt: string | null,
];

/** Reads the rows of {@link exportRows} for the CSV. Fewer values take less time to read. */
export function csvRows(database: Database, filter: ExportFilter): Promise<CsvCells[]> {
  const figures = database.raw(
    `concat(p.odds_american, ',', p.closing_odds, ',', p.clv_bps, ',', trim_scale(p.stake_e4 / 10000.0), ',', coalesce(p.result, 'pending'))`,
  );
  const columns = ['p.pick_id', 'p.sport', 'g.name', 'p.market', 'p.pick', figures, 'p.posted_at'];
  return cellsOf<CsvCells>(database, filter, [...columns, 'p.settled_at']);
}

/**
 * Reads rows of the record: newest first; oldest first by id where `since` or `after_id` asks for what came after something
 * (docs/decisions/0017-record-export.md).
 */
export async function exportRows(database: Database, filter: ExportFilter): Promise<ExportRow[]> {
  const texts = ['p.pick_id', 'p.sport', 'g.name', 'p.market', 'p.pick', 'p.odds_american', 'p.stake_e4'];
  const life = ['p.result', 'p.posted_at', 'p.settled_at', 'p.closing_odds', 'p.clv_bps'];
  const rows = await cellsOf<Cells>(database, filter, [...texts, ...life, 'p.source', 'p.provenance']);
  return rows.map(toExportRow);
}

async function cellsOf<Row>(
  database: Database,
  { since, sport, limit, afterId }: ExportFilter,
  columns: (string | Knex.Raw)[],
): Promise<Row[]> {
  const from = since === null ? afterId : await idBefore(database, since, afterId ?? 0);
  if (since !== null && from === null) return [];
  const newest = feedPicks(database, 'posted, by id', { sport: sport ?? undefined }, limit);
  return database
    .from((from === null ? newest : 'board_picks as p') as string)
    .join('games as g', 'g.id', 'p.game_id')
    .modify((query) => {
      if (from === null) return query.orderBy('p.posted_at', 'desc').orderBy('p.pick_id', 'desc');
      if (sport !== null) query.where('p.sport', sport);
      if (since !== null) query.where('p.posted_at', '>=', new Date(since));
      return query.where('p.pick_id', '>', from).orderBy('p.pick_id').limit(limit);
    })
    .select(columns)
    .options(asText) as unknown as Promise<Row[]>;
}

function toExportRow(cells: Cells): ExportRow {
  const [
    id,
    sport,
    game,
    market,
    pick,
    odds,
    stake,
    result,
    postedAt,
    gradedAt,
    closingOdds,
    clvBps,
    source,
    provenance,
  ] = cells;
  return {
    id: Number(id),
    sport,
    game,
    market,
    pick,
    odds_american: Number(odds),
    stake_e4: Number(stake),
    result: result ?? 'pending',
    posted_at: isoOfText(postedAt),
    graded_at: gradedAt === null ? null : isoOfText(gradedAt),
    closing_odds: closingOdds === null ? null : Number(closingOdds),
    clv_bps: clvBps === null ? null : Number(clvBps),
    source,
    provenance,
  };
}

/** `2026-01-10 17:05:00.12+00`, as a session in UTC writes an instant, to ISO 8601 with milliseconds. */
export function isoOfText(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}

/** How far the record has been read from the log: the same number means the same rows. */
export async function recordVersion(database: Database): Promise<number> {
  const [row]: { next: number }[] = await database('reader_cursors')
    .where('reader', 'boards')
    .select({ next: 'next_seq' });
  return row?.next ?? 0;
}
