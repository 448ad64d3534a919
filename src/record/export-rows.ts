import type { Database } from '../database.ts';
import type { ExportFilter } from './export-filter.ts';

/** A row of the record export, as version 1 names its fields (interface, section 2.5). */
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
  /** Epoch milliseconds. */
  posted_at: number;
  graded_at: number | null;
  closing_odds: number | null;
  clv_bps: number | null;
  source: string;
}

/**
 * Reads rows of the record: newest first; oldest first by id where `since` or `after_id` asks for what came after something
 * (decisions, section 3).
 */
export async function exportRows(database: Database, filter: ExportFilter): Promise<ExportRow[]> {
  const { since, sport, limit, afterId } = filter;
  return database('board_picks as p')
    .join('games as g', 'g.id', 'p.game_id')
    .modify((query) => {
      if (sport !== null) query.where('p.sport', sport);
      if (since !== null) query.where('p.posted_at', '>=', new Date(since));
      if (afterId !== null) query.where('p.pick_id', '>', afterId);
      if (since !== null || afterId !== null) query.orderBy('p.pick_id');
      else query.orderBy('p.posted_at', 'desc').orderBy('p.pick_id', 'desc');
    })
    .limit(limit)
    .select({
      id: 'p.pick_id',
      sport: 'p.sport',
      game: 'g.name',
      market: 'p.market',
      pick: 'p.pick',
      odds_american: 'p.odds_american',
      stake_e4: 'p.stake_e4',
      result: database.raw(`coalesce(p.result, 'pending')`),
      posted_at: 'p.posted_at',
      graded_at: 'p.settled_at',
      closing_odds: 'p.closing_odds',
      clv_bps: 'p.clv_bps',
      source: 'p.source',
    });
}

/** How far the record has been read from the log: the same number means the same rows. */
export async function recordVersion(database: Database): Promise<number> {
  const [row]: { next: number }[] = await database('reader_cursors')
    .where('reader', 'boards')
    .select({ next: 'next_seq' });
  return row?.next ?? 0;
}
