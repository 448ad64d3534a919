import type { Knex } from 'knex';
import type { Database } from '../platform/database.ts';
import { etDayStart } from '../rules/et-day.ts';
import type { SettledPick } from '../rules/tally.ts';
import { countsSql, type PickFilter, passing } from './pick-filter.ts';

/** Source columns of the fields that a tally needs, in `board_picks as b`. */
export const settledFields = {
  result: 'b.result',
  half: 'b.half',
  oddsAmerican: 'b.odds_american',
  stakeE4: 'b.stake_e4',
  netUnitsE4: 'b.net_units_e4',
  clvBps: 'b.clv_bps',
  sameLine: 'b.same_line',
  edgeBps: 'b.edge_bps',
  provenance: 'b.provenance',
  sealedInTime: 'b.sealed_in_time',
  priceVerdict: 'b.price_verdict',
} as const satisfies Record<keyof SettledPick, string>;

/** Selects a capper's settled picks. */
interface SettledFilter extends PickFilter {
  capperId: number;
  /** The first ET date of settling; null for all. */
  firstDay: string | null;
  limit: number;
}

/** Returns a query of a capper's latest settled picks `b`, in the order of docs/rules/records.md#streaks, latest first. */
export function latestSettled(
  database: Database,
  { capperId, firstDay, limit, ...filter }: SettledFilter,
): Knex.QueryBuilder {
  return database('board_picks as b')
    .where('b.capper_id', capperId)
    .whereNotNull('b.result')
    .modify((query) => {
      passing(query, 'b', filter);
      if (firstDay !== null) query.where('b.settled_at', '>=', new Date(etDayStart(firstDay)));
    })
    .orderBy([
      { column: 'b.settled_at', order: 'desc' },
      { column: 'b.posted_at', order: 'desc' },
      { column: 'b.uuid', order: 'desc' },
    ])
    .limit(limit);
}

/** A pick that won or lost, with its result. */
export interface DecidedPick {
  pickUuid: string;
  oddsAmerican: number;
  /** The part of the stake that counted. */
  stakeE4: number;
  won: boolean;
  /** Epoch milliseconds. */
  settledAt: number;
  netE4: number;
}

/** Returns the counted stake of pick `b`, like {@link countedE4}. */
function countedStake(database: Database): Knex.Raw {
  return database.raw('case when b.half then b.stake_e4 / 2 else b.stake_e4 end');
}

/** Reads a capper's latest wins and losses, in the order in which they settled. */
export async function decidedPicks(database: Database, filter: SettledFilter): Promise<DecidedPick[]> {
  const latest: DecidedPick[] = await latestSettled(database, filter)
    .whereIn('b.result', ['win', 'loss'])
    .whereRaw(countsSql('b'))
    .select({
      ...{ pickUuid: 'b.uuid', oddsAmerican: 'b.odds_american', stakeE4: countedStake(database) },
      ...{ won: database.raw(`b.result = 'win'`), settledAt: 'b.settled_at', netE4: 'b.net_units_e4' },
    });
  return latest.reverse();
}
