import type { Knex } from 'knex';
import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import type { PricedGroup } from '../rules/chance.ts';
import type { SettledPick } from '../rules/tally.ts';
import { countedOddsSql, countsSql, type PickFilter, settledFrom } from './pick-filter.ts';

/** Source columns of the fields that a tally needs, in `board_picks as b`. */
export const settledFields = {
  result: 'b.result',
  half: 'b.half',
  oddsAmerican: countedOddsSql('b'),
  stakeE4: 'b.stake_e4',
  netUnitsE4: 'b.net_units_e4',
  clvBps: 'b.clv_counted_bps',
  ...inCamelCase('b.same_line b.edge_bps b.provenance b.sealed_in_time b.price_verdict'),
} satisfies Record<keyof SettledPick, string>;

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
    .modify((query) => settledFrom(query, firstDay, filter))
    .orderBy([
      { column: 'b.settled_at', order: 'desc' },
      { column: 'b.posted_at', order: 'desc' },
      { column: 'b.uuid', order: 'desc' },
    ])
    .limit(limit);
}

export interface DecidedPick {
  pickUuid: string;
  oddsAmerican: number;
  half: boolean;
  /** The part of the stake that counted. */
  stakeE4: number;
  won: boolean;
  settledAt: EpochMs;
  netE4: number;
}

/** In the order in which they settled. */
export async function decidedPicks(database: Database, filter: SettledFilter): Promise<DecidedPick[]> {
  const latest: DecidedPick[] = await latestSettled(database, filter)
    .whereIn('b.result', ['win', 'loss'])
    .whereRaw(countsSql('b'))
    .select({
      pickUuid: 'b.uuid',
      oddsAmerican: countedOddsSql('b'),
      half: 'b.half',
      // As `countedE4` computes it.
      stakeE4: database.raw('case when b.half then b.stake_e4 / 2 else b.stake_e4 end'),
      won: database.raw(`b.result = 'win'`),
      settledAt: 'b.settled_at',
      netE4: 'b.net_units_e4',
    });
  return latest.reverse();
}

interface CappersFilter extends PickFilter {
  firstDay: string | null;
}

function countedOf(database: Database, { firstDay, ...filter }: CappersFilter) {
  return database('board_picks as b')
    .whereIn('b.result', ['win', 'loss'])
    .whereRaw(countsSql('b'))
    .modify((query) => settledFrom(query, firstDay, filter));
}

/**
 * Returns those cappers of which one pick won at least so many units, in ten-thousandths. Reads the picks of each only until it finds one.
 * @param least by capper
 */
export async function withOnePick(
  database: Database,
  least: ReadonlyMap<number, number>,
  filter: CappersFilter,
): Promise<Set<number>> {
  const one = countedOf(database, filter)
    .whereRaw('b.capper_id = c.id and b.net_units_e4 >= c.least')
    .select('b.pick_id')
    .limit(1);
  const ids: number[] = await database
    .from(
      database.raw('unnest(?::int[], ?::float8[]) as c (id, least)', [
        [...least.keys()],
        [...least.values()],
      ]),
    )
    .crossJoin(database.raw('lateral (?) as one', [one]))
    .pluck('c.id');
  return new Set(ids);
}

/** Reads the wins and losses of cappers by odds, for their chance. @param delay uses followers' odds this many minutes after posting */
export async function pricedGroups(
  database: Database,
  capperIds: readonly number[],
  { delay, ...filter }: CappersFilter & { delay?: string | undefined },
): Promise<Map<number, PricedGroup[]>> {
  const odds = delay === undefined ? countedOddsSql('b') : 'f.odds_american';
  const rows: (PricedGroup & { capperId: number })[] = await countedOf(database, filter)
    .whereRaw('b.capper_id = any(?::int[])', [[...capperIds]])
    .modify((query) => {
      if (delay !== undefined)
        query
          .join('follower_prices as f', (on) => on.on('f.pick_id', 'b.pick_id').onVal('f.delay', delay))
          .whereNotNull('f.odds_american');
    })
    .groupBy('b.capper_id', odds, 'b.half')
    .orderBy(['b.capper_id', odds, 'b.half'])
    .select({ capperId: 'b.capper_id', oddsAmerican: odds, half: 'b.half' })
    .select({
      decided: database.raw('count(*)::int'),
      wins: database.raw(`(count(*) filter (where b.result = 'win'))::int`),
    });
  return Map.groupBy(rows, ({ capperId }) => capperId);
}
