import type { Database } from '../platform/database.ts';
import { maxSimulated, type PlayedPick } from '../rules/chance.ts';
import { netUnitsE4 } from '../rules/odds.ts';
import { type PickFilter, passing } from './pick-filter.ts';

/** A pick that won or lost, with what came of it. */
export interface DecidedPick extends PlayedPick {
  won: boolean;
  /** Epoch milliseconds. */
  settledAt: number;
  netE4: number;
}

/** The latest pick first; uuids of those that may be simulated. Null where there is no pick. */
interface Lists {
  uuids: string[] | null;
  odds: number[] | null;
  stakes: number[];
  won: boolean[];
  /** Epoch seconds. */
  settledAt: number[];
}

/**
 * A capper's latest wins and losses that pass a filter, in the order in which they settled. Lists in place of a row for each pick, all
 * columns of which are in the index `board_picks_by_capper_settled`: of twenty thousand rows, reading them would cost most.
 * @param filter its `settledFrom` is in epoch milliseconds, included. Default: since ever
 */
export async function decidedPicks(
  database: Database,
  capperId: number,
  { settledFrom, ...filter }: PickFilter & { settledFrom?: number | undefined },
  limit: number,
): Promise<DecidedPick[]> {
  const latest = database('board_picks as b')
    .where('b.capper_id', capperId)
    .whereIn('b.result', ['win', 'loss'])
    .modify((query) => passing(query, 'b', filter))
    .modify((query) => {
      if (settledFrom !== undefined) query.where('b.settled_at', '>=', new Date(settledFrom));
    })
    .orderBy([
      { column: 'b.settled_at', order: 'desc' },
      { column: 'b.posted_at', order: 'desc' },
      { column: 'b.uuid', order: 'desc' },
    ])
    .limit(limit)
    .select('b.settled_at', 'b.posted_at', 'b.uuid', 'b.odds_american', 'b.stake_e4', 'b.result');
  const list = (source: string) => `array_agg(${source} order by settled_at desc, posted_at desc, uuid desc)`;
  const { uuids, odds, stakes, won, settledAt }: Lists = await database.from(latest.as('p')).first({
    uuids: database.raw(`to_json((${list('uuid')})[:${maxSimulated}])`),
    odds: database.raw(`to_json(${list('odds_american')})`),
    stakes: database.raw(`to_json(${list('stake_e4')})`),
    won: database.raw(`to_json(${list(`result = 'win'`)})`),
    settledAt: database.raw(`to_json(${list(`date_part('epoch', settled_at)`)})`),
  });
  const picks = (odds ?? []).map((oddsAmerican, index): DecidedPick => {
    const stakeE4 = stakes[index]!;
    return {
      ...{ pickUuid: uuids![index], oddsAmerican, stakeE4, won: won[index]! },
      settledAt: Math.round(1000 * settledAt[index]!),
      netE4: netUnitsE4(won[index] ? 'win' : 'loss', stakeE4, oddsAmerican),
    };
  });
  return picks.reverse();
}
