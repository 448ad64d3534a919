import type { Knex } from 'knex';
import type { Database, Transaction } from '../platform/database.ts';
import type { Kind } from '../proof/bodies.ts';
import { windowFirstDay } from '../rules/et-day.ts';
import { addTallies, type Tally } from '../rules/tally.ts';
import type { Window } from '../rules/vocabulary.ts';
import { type PickFilter, passing } from './pick-filter.ts';

/** What picks add to the day of posting, by column of each table of {@link rollups}. `b` is the pick in `board_picks`. */
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

/** What each table of sums is by. The first is computed from the picks, the others are sums of it. */
export const rollups = {
  daily_rollups: ['capper_id', 'sport', 'market', 'provenance', 'day'],
  capper_totals: ['capper_id', 'sport', 'market', 'provenance'],
  sport_days: ['sport', 'market', 'provenance', 'day'],
} as const;
type Rollup = keyof typeof rollups;
const keys = rollups.daily_rollups;

/** Columns that keep the greater value; the others are sums. */
const greatest = ['last_posted_at'];

/** The sums of some picks by the Eastern day of an instant. @param picks what follows FROM, with the picks as `b` */
function daySums(sums: Readonly<Record<string, string>>, instant: string, picks: string): string {
  const columns = Object.entries(sums).map(([column, sum]) => `${sum} as ${column}`);
  return `select b.capper_id, b.sport, b.market, b.provenance, (b.${instant} at time zone 'America/New_York')::date as day, ${columns.join(', ')}
    from ${picks} group by 1, 2, 3, 4, 5`;
}

/** The sums of days by what a table is by. @param days what follows FROM */
function sumsOfDays(table: Rollup, columns: readonly string[], days: string): string {
  const by = rollups[table].join(', ');
  const sums = columns.map(
    (column) => `${greatest.includes(column) ? 'max' : 'sum'}(${column}) as ${column}`,
  );
  return `select ${by}, ${sums.join(', ')} from ${days} group by ${by}`;
}

/** Adds sums of some picks to each table. */
async function addSums(
  transaction: Transaction,
  sums: Readonly<Record<string, string>>,
  instant: 'posted_at' | 'settled_at',
  picks: string,
  bindings: Record<string, unknown>,
): Promise<void> {
  const columns = Object.keys(sums);
  const added = columns.map((column) =>
    greatest.includes(column)
      ? `${column} = greatest(r.${column}, excluded.${column})`
      : `${column} = r.${column} + excluded.${column}`,
  );
  const inserts = (Object.keys(rollups) as Rollup[]).map((table) => {
    const by = rollups[table].join(', ');
    return `${table}_added as (
      insert into ${table} as r (${by}, ${columns.join(', ')}) ${sumsOfDays(table, columns, 'added')}
      on conflict (${by}) do update set ${added.join(', ')})`;
  });
  await transaction.raw(
    `with added as materialized (${daySums(sums, instant, picks)}), ${inserts.join(', ')} select`,
    bindings as Record<string, number>,
  );
}

/**
 * Adds the entries from `from` up to, not including, `to` to the tables of {@link rollups}: per ET day where they are by day, picks by the
 * day of posting and results by the day of settling.
 * @param kinds of these entries
 */
export async function extendRollups(
  transaction: Transaction,
  from: number,
  to: number,
  kinds: ReadonlySet<Kind>,
): Promise<void> {
  const picks = (kind: string) => `ledger_entries e join board_picks b on b.pick_id = e.pick_id
    where e.seq >= :from and e.seq < :to and e.kind = '${kind}'`;
  if (kinds.has('posted')) await addSums(transaction, postedSums, 'posted_at', picks('posted'), { from, to });
  if (kinds.has('settled'))
    await addSums(transaction, settledSums, 'settled_at', picks('settled'), { from, to });
}

/** Counts settled picks as late that turned out to be so after they had settled. */
export async function addLate(transaction: Transaction, pickIds: readonly number[]): Promise<void> {
  const picks = `board_picks b where b.pick_id = any(:pickIds::bigint[]) and b.result is not null and b.sealed_in_time = 'late'`;
  await addSums(transaction, { late: settledSums.late }, 'settled_at', picks, { pickIds });
}

/** The tally of some picks, settled or not. @param picks what follows FROM, with the picks of `board_picks` as `b` */
export async function tallyOf(database: Database, picks: string): Promise<Tally> {
  const columns = Object.entries(tallyColumns).map(
    ([name, column]) => `coalesce(${settledSums[column]}, 0)::bigint as "${name}"`,
  );
  const imported = `${count("b.provenance = 'imported'")}::bigint as imported`;
  const { rows }: { rows: [Tally] } = await database.raw(
    `select ${columns.join(', ')}, ${imported} from ${picks} and b.result is not null`,
  );
  return rows[0];
}

/**
 * The tallies of settled picks by what expressions on `b` give.
 * @param by the expressions, by name
 * @param picks what follows FROM, with the picks of `board_picks` as `b`
 */
export async function talliesBy<K extends string>(
  database: Database,
  by: Readonly<Record<K, string>>,
  picks: Knex.QueryBuilder,
): Promise<({ [Name in K]: number } & Tally)[]> {
  const names = Object.keys(by) as K[];
  const columns = Object.entries(tallyColumns).map(
    ([name, column]) => `coalesce(${settledSums[column]}, 0)::bigint as "${name}"`,
  );
  const { rows } = await database.raw(
    `select ${names.map((name) => `${by[name]} as ${name}`).join(', ')}, ${columns.join(', ')},
       ${count("b.provenance = 'imported'")}::bigint as imported
     from (?) b group by ${names.map((_, index) => index + 1).join(', ')}`,
    [picks],
  );
  return rows;
}

const sumColumns = Object.keys({ ...postedSums, ...settledSums });

/** What {@link extendRollups} makes of all picks in `board_picks` of some cappers, as a query. @param cappers a condition on `b` */
export function rollupsOf(cappers: string): string {
  const sums = sumColumns.map((column) =>
    greatest.includes(column) ? column : `coalesce(${column}, 0) as ${column}`,
  );
  return `select ${[...keys, ...sums].join(', ')}
    from (${daySums(postedSums, 'posted_at', `board_picks b where ${cappers}`)}) posted
    full join (${daySums(settledSums, 'settled_at', `board_picks b where b.result is not null and ${cappers}`)}) settled
      using (${keys.join(', ')})`;
}

/** The rows of a table that is made of `daily_rollups`, as a query. @param days a condition on it */
export function totalsOf(table: Exclude<Rollup, 'daily_rollups'>, days: string): string {
  return sumsOfDays(table, sumColumns, `daily_rollups where ${days}`);
}

/** The columns of {@link Tally} as sums over one of {@link rollups} `as r`, for a query's `select`. */
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

/** Of whose picks, and of which of them, tallies are. Default: all. */
interface TallyFilter extends PickFilter {
  capperId?: number;
}

/**
 * The tallies of several windows that end today: of those with a first day in one pass over the days, of everything from the totals.
 * @param today an ET date
 */
export async function windowTallies<W extends Window>(
  database: Database,
  windows: readonly W[],
  today: string,
  { capperId, ...filter }: TallyFilter = {},
): Promise<{ [Name in W]: Tally }> {
  const narrowed = (query: Knex.QueryBuilder) => {
    if (capperId !== undefined) query.where('r.capper_id', capperId);
    passing(query, 'r', filter);
  };
  const bounded = windows
    .flatMap((window) => {
      const firstDay = windowFirstDay(window, today);
      return firstDay === null ? [] : [{ window, firstDay }];
    })
    .sort((a, b) => (a.firstDay < b.firstDay ? -1 : 1));
  const firstDays = bounded.map(({ firstDay }) => firstDay);
  // A day counts once, in the narrowest window that holds it; wider windows hold the narrower ones.
  const days: Promise<(Tally & { depth: number })[]> = database({
    r: capperId === undefined ? 'sport_days' : 'daily_rollups',
  })
    .where('r.day', '>=', firstDays[0] ?? 'infinity')
    .modify(narrowed)
    .select({ depth: database.raw('width_bucket(r.day, ?::date[])', [firstDays]), ...tallySums(database) })
    .groupBy('depth');
  const total: Promise<Tally[]> = database('capper_totals as r').modify(narrowed).select(tallySums(database));
  const [byDepth, [everything]] = await Promise.all([
    firstDays.length === 0 ? [] : days,
    firstDays.length === windows.length ? [] : total,
  ]);
  const tallyOf = (window: W): Tally => {
    const index = bounded.findIndex((each) => each.window === window);
    return index < 0 ? everything! : addTallies(byDepth.filter(({ depth }) => depth > index));
  };
  return Object.fromEntries(windows.map((window) => [window, tallyOf(window)])) as { [Name in W]: Tally };
}
