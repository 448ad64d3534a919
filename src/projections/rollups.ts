import type { Knex } from 'knex';
import type { Database, Transaction } from '../platform/database.ts';
import { windowFirstDay } from '../rules/et-day.ts';
import { addTallies, type Tally } from '../rules/tally.ts';
import { type Window, windowDays } from '../rules/vocabulary.ts';
import { ofProvenance, type ProvenanceFilter } from './provenance.ts';

/** What picks add to the day of posting, by column of `daily_rollups`. `b` is the pick in `board_picks`. */
const postedSums = {
  posted: 'count(*)',
  last_posted_at: 'max(b.posted_at)',
} as const;

const decided = `b.result in ('win', 'loss')`;
const american = 'abs(b.odds_american)';
const stakeSquared = 'b.stake_e4::numeric * b.stake_e4';
const sum = (figure: string, of: string) => `coalesce(sum(${figure}) filter (where ${of}), 0)`;
const count = (of: string) => `count(*) filter (where ${of})`;

/** What picks add to the day of settling. All are sums of integers, so that days add up in any order. */
const settledSums = {
  wins: count(`b.result = 'win'`),
  losses: count(`b.result = 'loss'`),
  pushes: count(`b.result = 'push'`),
  voids: count(`b.result = 'void'`),
  net_e4: 'sum(b.net_units_e4)',
  staked_e4: sum('b.stake_e4', decided),
  break_even_e9: sum(
    `round(1e9 * case when b.odds_american > 0 then 100 else ${american} end / (100 + ${american}))`,
    decided,
  ),
  break_even_variance_e9: sum(
    `round(1e11 * ${american} / ((100 + ${american})::numeric * (100 + ${american})))`,
    decided,
  ),
  net_variance_e6: sum(
    `case when b.odds_american > 0 then round(${stakeSquared} * ${american} / 10000) else round(${stakeSquared} / ${american}) end`,
    decided,
  ),
  clv_sum: sum('b.clv_bps', 'b.same_line'),
  clv_sample: count('b.clv_bps is not null and b.same_line'),
  clv_moved_sample: count('b.clv_bps is not null and not b.same_line'),
  edge_sum: 'coalesce(sum(b.edge_bps), 0)',
  edge_sample: 'count(b.edge_bps)',
  late: count(`b.sealed_in_time = 'late'`),
} as const;

/** The columns whose sums make a tally, but for its imported picks. */
const tallyColumns: { [Name in Exclude<keyof Tally, 'imported'>]: keyof typeof settledSums } = {
  wins: 'wins',
  losses: 'losses',
  pushes: 'pushes',
  voids: 'voids',
  netE4: 'net_e4',
  stakedE4: 'staked_e4',
  breakEvenE9: 'break_even_e9',
  breakEvenVarianceE9: 'break_even_variance_e9',
  netVarianceE6: 'net_variance_e6',
  clvSum: 'clv_sum',
  clvSample: 'clv_sample',
  clvMovedSample: 'clv_moved_sample',
  edgeSum: 'edge_sum',
  edgeSample: 'edge_sample',
  late: 'late',
};

const keys = ['capper_id', 'sport', 'market', 'provenance', 'day'];

/** Columns that keep the greater value; the others are sums. */
const greatest = ['last_posted_at'];

/** The sums of some picks by the Eastern day of an instant. @param picks what follows FROM, with the picks as `b` */
function daySums(sums: Readonly<Record<string, string>>, instant: string, picks: string): string {
  const columns = Object.entries(sums).map(([column, sum]) => `${sum} as ${column}`);
  return `select b.capper_id, b.sport, b.market, b.provenance, (b.${instant} at time zone 'America/New_York')::date as day, ${columns.join(', ')}
    from ${picks} group by 1, 2, 3, 4, 5`;
}

/**
 * Adds the entries from `from` up to, not including, `to` to `daily_rollups`: per capper, sport, market, provenance and ET day, picks by the day of
 * posting and results by the day of settling.
 */
export async function extendRollups(transaction: Transaction, from: number, to: number): Promise<void> {
  const add = async (kind: string, sums: Readonly<Record<string, string>>, instant: string) => {
    const columns = Object.keys(sums);
    const added = columns.map((column) =>
      greatest.includes(column)
        ? `${column} = greatest(r.${column}, excluded.${column})`
        : `${column} = r.${column} + excluded.${column}`,
    );
    const picks = `ledger_entries e join board_picks b on b.pick_id = e.pick_id
      where e.seq >= :from and e.seq < :to and e.kind = '${kind}'`;
    await transaction.raw(
      `insert into daily_rollups as r (${[...keys, ...columns].join(', ')})
       ${daySums(sums, instant, picks)}
       on conflict (${keys.join(', ')}) do update set ${added.join(', ')}`,
      { from, to },
    );
  };
  await add('posted', postedSums, 'posted_at');
  await add('settled', settledSums, 'settled_at');
}

/** What {@link extendRollups} makes of all picks in `board_picks` of some cappers, as a query. @param cappers a condition on `b` */
export function rollupsOf(cappers: string): string {
  const sums = Object.keys({ ...postedSums, ...settledSums }).map((column) =>
    greatest.includes(column) ? column : `coalesce(${column}, 0) as ${column}`,
  );
  return `select ${[...keys, ...sums].join(', ')}
    from (${daySums(postedSums, 'posted_at', `board_picks b where ${cappers}`)}) posted
    full join (${daySums(settledSums, 'settled_at', `board_picks b where b.result is not null and ${cappers}`)}) settled
      using (${keys.join(', ')})`;
}

/** The columns of {@link Tally} as sums over `daily_rollups as r`, for a query's `select`. */
export function tallySums(database: Database): { [Name in keyof Tally]: Knex.Raw } {
  const sums = Object.entries(tallyColumns).map(([name, column]) => [
    name,
    database.raw('coalesce(sum(??), 0)::bigint', [`r.${column}`]),
  ]);
  return {
    ...(Object.fromEntries(sums) as { [Name in keyof typeof tallyColumns]: Knex.Raw }),
    imported: database.raw(
      `coalesce(sum(r.wins + r.losses + r.pushes + r.voids) filter (where r.provenance = 'imported'), 0)::bigint`,
    ),
  };
}

/**
 * The tallies of several windows that end today, in one pass over the rollups.
 * @param today an ET date
 */
export async function windowTallies<W extends Window>(
  database: Database,
  windows: readonly W[],
  today: string,
  { capperId, provenance = 'all' }: { capperId?: number; provenance?: ProvenanceFilter } = {},
): Promise<{ [Name in W]: Tally }> {
  const widest = windows.toSorted((a, b) => (windowDays[b] ?? Infinity) - (windowDays[a] ?? Infinity));
  const firstDays = widest.map((window) => windowFirstDay(window, today) ?? '-infinity');
  // A day counts once, in the narrowest window that holds it; wider windows hold the narrower ones.
  const rows: (Tally & { depth: number })[] = await database('daily_rollups as r')
    .modify((query) => {
      if (capperId !== undefined) query.where('r.capper_id', capperId);
      ofProvenance(query, 'r.provenance', provenance);
    })
    .select({ depth: database.raw('width_bucket(r.day, ?::date[])', [firstDays]), ...tallySums(database) })
    .groupBy('depth');
  const tallies = widest.map(
    (window, index) => [window, addTallies(rows.filter(({ depth }) => depth > index))] as const,
  );
  return Object.fromEntries(tallies) as { [Name in W]: Tally };
}
