import type { Database } from '../platform/database.ts';
import type { PlayedPick } from '../rules/chance.ts';
import { type PickFilter, passing } from './pick-filter.ts';

/** A pick that won or lost, with what came of it. */
export interface DecidedPick extends PlayedPick {
  won: boolean;
  /** Epoch milliseconds. */
  settledAt: number;
  netE4: number;
}

/**
 * Reads a capper's latest wins and losses that pass a filter, in the order in which they settled.
 * @param filter its `settledFrom` is in epoch milliseconds, included. Default: since ever
 */
export async function decidedPicks(
  database: Database,
  capperId: number,
  { settledFrom, ...filter }: PickFilter & { settledFrom?: number | undefined },
  limit: number,
): Promise<DecidedPick[]> {
  const latest: DecidedPick[] = await database('board_picks as b')
    .where('b.capper_id', capperId)
    .whereIn('b.result', ['win', 'loss'])
    .modify((query) => {
      passing(query, 'b', filter);
      if (settledFrom !== undefined) query.where('b.settled_at', '>=', new Date(settledFrom));
    })
    .orderBy([
      { column: 'b.settled_at', order: 'desc' },
      { column: 'b.posted_at', order: 'desc' },
      { column: 'b.uuid', order: 'desc' },
    ])
    .limit(limit)
    .select({
      ...{ pickUuid: 'b.uuid', oddsAmerican: 'b.odds_american', stakeE4: 'b.stake_e4' },
      ...{ won: database.raw(`b.result = 'win'`), settledAt: 'b.settled_at', netE4: 'b.net_units_e4' },
    });
  return latest.reverse();
}
