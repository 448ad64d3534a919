import { viewOf } from '../platform/bytes.ts';
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

/** The latest pick first; numbers in binary, as PostgreSQL sends them. */
interface Lists {
  /** Of those that may be simulated. */
  uuids: string[];
  /** 4 bytes each; null where there is no pick. */
  odds: Buffer | null;
  /** 4 bytes each, below 0 where the pick lost. */
  stakes: Buffer;
  /** 8 bytes each, microseconds since 2000. */
  settledAt: Buffer;
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
  const list = (bytes: string) =>
    database.raw(`string_agg(${bytes}, '' order by settled_at desc, posted_at desc, uuid desc)`);
  const simulated = latest.clone().clearSelect().select('b.uuid').limit(Math.min(limit, maxSimulated));
  const { uuids, odds, stakes, settledAt }: Lists = await database.from(latest.as('p')).first({
    uuids: database.raw('to_json(array(?))', [simulated]),
    odds: list('int4send(odds_american)'),
    stakes: list(`int4send(case when result = 'win' then stake_e4 else -stake_e4 end)`),
    settledAt: list('timestamptz_send(settled_at)'),
  });
  if (odds === null) return [];
  const [price, stake, instant] = [viewOf(odds), viewOf(stakes), viewOf(settledAt)];
  const picks: DecidedPick[] = [];
  for (let index = odds.length / 4 - 1; index >= 0; index -= 1) {
    const oddsAmerican = price.getInt32(4 * index);
    const signed = stake.getInt32(4 * index);
    const stakeE4 = Math.abs(signed);
    const won = signed > 0;
    picks.push({
      ...{ pickUuid: uuids[index], oddsAmerican, stakeE4, won },
      settledAt: year2000 + microseconds(instant, 8 * index) / 1000,
      netE4: netUnitsE4(won ? 'win' : 'loss', stakeE4, oddsAmerican),
    });
  }
  return picks;
}

const year2000 = Date.UTC(2000);

/** 8 bytes as a number: within the years of the ledger they are exact. A bigint for each would take a millisecond of 20,000. */
const microseconds = (view: DataView, at: number) => view.getInt32(at) * 2 ** 32 + view.getUint32(at + 4);
