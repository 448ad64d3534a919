import { type PricedDays, pricedDays } from '../games/lines.ts';
import { entriesIn } from '../ledger/sealing/advance-cursor.ts';
import { isoOrNull } from '../platform/clock.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { edgeBps } from '../rules/edge.ts';
import { etDay, windowFirstDay } from '../rules/et-day.ts';
import {
  type FollowDelay,
  type FollowSnapshot,
  followDelays,
  followedForMs,
  followerPrice,
} from '../rules/follow.ts';
import { clvBps, netUnitsE4 } from '../rules/odds.ts';
import { admitted, hasPriceSource } from '../rules/price-check.ts';
import { type SettledPick, type Tally, tallyOf } from '../rules/tally.ts';
import type { Result, Window } from '../rules/vocabulary.ts';
import { countsSql, type PickFilter, settledFrom } from './pick-filter.ts';
import {
  type Addition,
  addSums,
  daysOf,
  ofBeingLate,
  ofSettling,
  pickFields,
  type Settled,
} from './rollups.ts';
import { settledFields } from './settled-picks.ts';

const picksAtOnce = 500;

/** Columns of `follower_prices`, with types that check nothing, because the audit must name forged values. */
const types = {
  pick_id: 'bigint',
  delay: 'int',
  odds_american: 'int',
  book: 'text',
  captured_at: 'timestamptz',
  net_units_e4: 'bigint',
  clv_bps: 'int',
  edge_bps: 'int',
} as const;
const columns = Object.keys(types).join(', ');

/** A row of `follower_prices`. If the price was missed, it has only the key; the other columns are null. */
type FollowerRow = { [Column in keyof typeof types]?: string | number | null };

const givenRows = `select ${columns} from jsonb_to_recordset(:rows) as given (
  ${Object.entries(types).map(([column, type]) => `${column} ${type}`)})`;

/** Adds followers' prices for picks settled by the entries from `from` up to, but not including, `to`. */
export async function extendFollowers(transaction: Transaction, from: number, to: number): Promise<void> {
  const settled: number[] = await entriesIn(transaction, from, to).where('kind', 'settled').pluck('pick_id');
  const { rows }: { rows: { pickId: number }[] } = await transaction.raw(
    `insert into follower_prices (${columns}) ${givenRows} returning pick_id as "pickId"`,
    {
      rows: JSON.stringify(
        await followerRows(transaction, 'b.pick_id = any(:settled::bigint[])', { settled }),
      ),
    },
  );
  const followed = [...new Set(rows.map(({ pickId }) => pickId))];
  const picks = await atFollowerPrices(transaction, 'b.pick_id = any(:followed::bigint[])', { followed });
  await addSums(transaction, 'follower_days', picks.map(ofFollowing));
}

/** Counts followed picks as late if a checkpoint showed this only after they had settled. */
export async function addLateFollowers(transaction: Transaction, pickIds: readonly number[]): Promise<void> {
  const late = await atFollowerPrices(
    transaction,
    `b.pick_id = any(:pickIds::bigint[]) and b.sealed_in_time = 'late' and ${countsSql('b')}`,
    { pickIds },
  );
  await addSums(
    transaction,
    'follower_days',
    late.map((pick) => ({ ...ofBeingLate(pick), delay: pick.delay })),
  );
}

/** Returns a query of the rows of `follower_prices` that the settled picks in `board_picks` give. @param picks a condition on `b` */
export async function followerPricesOf(database: Database, picks: string) {
  return { sql: givenRows, bindings: { rows: JSON.stringify(await followerRows(database, picks)) } };
}

/** Returns a query of the rows of `follower_days` that `follower_prices` gives. @param picks a condition on `board_picks b` */
export async function followerDaysOf(database: Database, picks: string): Promise<ReturnType<typeof daysOf>> {
  const followed = await atFollowerPrices(database, picks);
  // Leaves out forged instants that JavaScript cannot represent, which belong to no day.
  const dated = followed.filter(({ settledAt }) => Number.isFinite(settledAt));
  return daysOf('follower_days', dated.map(ofFollowing));
}

type FollowedPick = Settled & { delay: number };

const ofFollowing = (pick: FollowedPick): Addition => ({ ...ofSettling(pick), delay: pick.delay });

async function atFollowerPrices(
  database: Database,
  picks: string,
  bindings: Record<string, readonly number[]> = {},
): Promise<FollowedPick[]> {
  return database('follower_prices as f')
    .join('board_picks as b', 'b.pick_id', 'f.pick_id')
    .whereNotNull('b.result')
    .whereNotNull('f.odds_american')
    .whereRaw(picks, bindings as never)
    .select({
      ...pickFields,
      ...inCamelCase('f.odds_american f.net_units_e4 f.clv_bps f.edge_bps f.delay'),
    });
}

interface PricedPick {
  pickId: number;
  sport: string;
  postedAt: number;
  /** The start that holds (`holdingStart`). */
  startsAt: number | null;
  result: Result;
  half: boolean;
  stakeE4: number;
  /** Null if the pick did not close. */
  closing: { oddsAmerican: number; chanceE9: number | null } | null;
  snapshots: (FollowSnapshot & { byHand: boolean; storedAt: number })[] | null;
  lastLineId: number;
}

/** From the prices that were stored at settlement; later prices change nothing. @param picks a condition on `board_picks as b` */
async function followerRows(
  database: Database,
  picks: string,
  bindings: Record<string, readonly number[]> = {},
): Promise<FollowerRow[]> {
  const ids: number[] = await database('board_picks as b')
    .where('b.provenance', 'live')
    .whereNotNull('b.result')
    .whereRaw(picks, bindings as never)
    .orderBy('b.pick_id')
    .pluck('b.pick_id');
  const rows: FollowerRow[] = [];
  for (let at = 0; at < ids.length; at += picksAtOnce) {
    const picks = await pricedPicks(database, ids.slice(at, at + picksAtOnce));
    const days = await pricedDays(database, picks);
    for (const pick of picks) rows.push(...rowsOf(pick, days));
  }
  return rows;
}

async function pricedPicks(database: Database, ids: readonly number[]): Promise<PricedPick[]> {
  const { rows }: { rows: PricedPick[] } = await database.raw(
    `select b.pick_id as "pickId", b.sport, b.posted_at as "postedAt",
       w.starts_at as "startsAt", s.last_line_id as "lastLineId",
       b.result, b.half, b.stake_e4 as "stakeE4", c.closing, l.snapshots
     from board_picks b
     join picks q on q.id = b.pick_id
     join games g on g.id = q.game_id
     cross join lateral (select coalesce(b.closed_at, g.held_start, g.starts_at) as starts_at) w
     left join settlements s on s.pick_id = b.pick_id
     left join lateral (
       select json_build_object('oddsAmerican', k.odds_american, 'chanceE9', k.fair_e9) as closing
       from closings k where k.pick_id = b.pick_id and b.closed_at is not null) c on true
     left join lateral (
       select json_agg(json_build_object('book', book, 'byHand', by_hand, 'capturedAt', at, 'storedAt', stored, 'odds', odds)) as snapshots
       from (
         select book, by_hand, (extract(epoch from captured_at) * 1000)::bigint as at, (extract(epoch from stored_at) * 1000)::bigint as stored,
           coalesce(array_agg(odds_american) filter (where side = b.side and line_e3 is not distinct from b.line_e3), '{}') as odds
         from lines
         where game_id = q.game_id and market = b.market and subject is not distinct from b.subject and id <= s.last_line_id
           and captured_at between b.posted_at and b.posted_at + :reachMs * interval '1 ms' and captured_at < w.starts_at
         group by book, by_hand, captured_at, stored_at) snapshot) l on true
     where b.pick_id = any(:ids::bigint[])`,
    { ids: [...ids] as never, reachMs: followedForMs },
  );
  return rows;
}

function rowsOf(pick: PricedPick, days: PricedDays): FollowerRow[] {
  const { pickId, sport, result, half, stakeE4, closing, startsAt: start, lastLineId } = pick;
  const hasSource = hasPriceSource(days.get(sport) ?? [], pick, start, lastLineId);
  const snapshots = admitted(pick.snapshots ?? [], { start, hasSource });
  return followDelays.flatMap((delay) => {
    const price = followerPrice(snapshots, pick, delay);
    if (price === null) return [];
    if (price === 'missed') return { pick_id: pickId, delay };
    const { oddsAmerican, book, capturedAt } = price;
    return {
      pick_id: pickId,
      delay,
      odds_american: oddsAmerican,
      book,
      captured_at: new Date(capturedAt).toISOString(),
      net_units_e4: netUnitsE4(result, stakeE4, oddsAmerican, half),
      clv_bps: closing === null ? null : clvBps(oddsAmerican, closing.oddsAmerican),
      edge_bps:
        closing === null || closing.chanceE9 === null ? null : edgeBps(oddsAmerican, closing.chanceE9),
    };
  });
}

/** Reads the followers' prices of a settled live pick, one for each delay. */
export async function followersOf(database: Database, pickId: number) {
  const rows: { delay: number; odds: number | null; book: string | null; at: number | null }[] =
    await database('follower_prices')
      .where('pick_id', pickId)
      .select({ delay: 'delay', odds: 'odds_american', book: 'book', at: 'captured_at' });
  return followDelays.map((delay) => {
    const row = rows.find((each) => each.delay === delay);
    const { odds = null, book = null, at = null } = row ?? {};
    return {
      delay,
      missed: row !== undefined && odds === null,
      oddsAmerican: odds,
      book,
      at: isoOrNull(at),
    };
  });
}

interface FollowFilter extends Omit<PickFilter, 'provenance'> {
  capperId: number;
  window: Window;
}

/** A capper's settled live picks after a delay: those with a follower's price, at their own odds and at that price, and those without. */
export interface Followed {
  own: Tally;
  follower: Tally;
  missed: number;
}

export async function followed(
  database: Database,
  { capperId, window, ...filter }: FollowFilter,
  now: EpochMs,
): Promise<Map<FollowDelay, Followed>> {
  const firstDay = windowFirstDay(window, etDay(now));
  const rows: (SettledPick & { delay: number; price: number | null; net: number; edge: number | null })[] =
    await database('follower_prices as f')
      .join('board_picks as b', 'b.pick_id', 'f.pick_id')
      .where('b.capper_id', capperId)
      .whereRaw(countsSql('b'))
      .modify((query) => settledFrom(query, firstDay, filter))
      .select({
        ...settledFields,
        delay: 'f.delay',
        price: 'f.odds_american',
        net: 'f.net_units_e4',
        edge: 'f.edge_bps',
      });
  return new Map(
    followDelays.map((delay) => {
      const after = rows.filter((row) => row.delay === delay);
      const found = after.filter(({ price }) => price !== null);
      const atPrice = found.map(({ price, net, edge, ...pick }) => ({
        ...pick,
        oddsAmerican: price!,
        netUnitsE4: net,
        edgeBps: edge,
        clvBps: null,
      }));
      const tallies = { own: tallyOf(found), follower: tallyOf(atPrice) };
      return [delay, { ...tallies, missed: after.length - found.length }];
    }),
  );
}
