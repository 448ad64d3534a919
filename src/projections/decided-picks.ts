import type { Database } from '../platform/database.ts';
import type { PlayedPick } from '../rules/chance.ts';

/** A pick that won or lost, with what came of it. */
export interface DecidedPick extends PlayedPick {
  won: boolean;
  /** Epoch milliseconds. */
  settledAt: number;
  netE4: number;
}

/** A capper's latest wins and losses, in the order in which they settled. */
export async function decidedPicks(
  database: Database,
  capperId: number,
  limit: number,
): Promise<DecidedPick[]> {
  const rows: DecidedPick[] = await database('board_picks')
    .where('capper_id', capperId)
    .whereIn('result', ['win', 'loss'])
    .orderBy([
      { column: 'settled_at', order: 'desc' },
      { column: 'posted_at', order: 'desc' },
      { column: 'uuid', order: 'desc' },
    ])
    .limit(limit)
    .select({
      pickUuid: 'uuid',
      oddsAmerican: 'odds_american',
      stakeE4: 'stake_e4',
      won: database.raw(`result = 'win'`),
      settledAt: 'settled_at',
      netE4: 'net_units_e4',
    });
  return rows.reverse();
}
