import type { Knex } from 'knex';
import type { Database, Transaction } from '../platform/database.ts';
import type { Kind } from '../proof/bodies.ts';
import { oddsBands } from '../rules/calibration.ts';
import { etDayStart, windowFirstDay } from '../rules/et-day.ts';
import { stakeBands } from '../rules/stake-bands.ts';
import { addTallies, type Tally } from '../rules/tally.ts';
import type { Window } from '../rules/vocabulary.ts';
import { type PickFilter, passing } from './pick-filter.ts';

/** What a pick adds when it is posted, by column of the tables of {@link rollups}. `b` is the pick in `board_picks`. */
const postedFigures = {
  posted: '1',
  last_posted_at: 'b.posted_at',
} as const;

const decided = `b.result in ('win', 'loss')`;
const american = 'abs(b.odds_american)';
const stakeSquared = 'b.stake_e4::numeric * b.stake_e4';
const one = (where: string) => `(${where})::int`;
const ifDecided = (figure: string) => `case when ${decided} then ${figure} else 0 end`;

/** What it adds when it settles. All are integers, so that their sums add up in any order. */
const settledFigures = {
  wins: one(`b.result = 'win'`),
  losses: one(`b.result = 'loss'`),
  pushes: one(`b.result = 'push'`),
  voids: one(`b.result = 'void'`),
  net_e4: 'b.net_units_e4',
  staked_e4: ifDecided('b.stake_e4'),
  break_even_e9: ifDecided(
    `round(1e9 * case when b.odds_american > 0 then 100 else ${american} end / (100 + ${american}))::bigint`,
  ),
  break_even_variance_e9: ifDecided(
    `round(1e11 * ${american} / ((100 + ${american})::numeric * (100 + ${american})))::bigint`,
  ),
  net_variance_e6: ifDecided(
    `(case when b.odds_american > 0 then round(${stakeSquared} * ${american} / 10000) else round(${stakeSquared} / ${american}) end)::bigint`,
  ),
  clv_sum: 'case when b.clv_bps is not null and b.same_line then b.clv_bps else 0 end',
  clv_sample: one('b.clv_bps is not null and b.same_line'),
  clv_moved_sample: one('b.clv_bps is not null and not b.same_line'),
  edge_sum: 'coalesce(b.edge_bps, 0)',
  edge_sample: one('b.edge_bps is not null'),
  late: one(`b.sealed_in_time is not distinct from 'late'`),
} as const;

/** The columns whose sums make a tally, but for its imported picks. */
const tallyColumns: { [Name in Exclude<keyof Tally, 'imported'>]: keyof typeof settledFigures } = {
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

/** What each table of sums is by. */
export const rollups = {
  daily_rollups: ['capper_id', 'sport', 'market', 'provenance', 'day'],
  capper_totals: ['capper_id', 'sport', 'market', 'provenance'],
  sport_days: ['sport', 'market', 'provenance', 'day'],
} as const;
type Rollup = keyof typeof rollups;

type Instant = 'posted_at' | 'settled_at';
type Figures = Readonly<Record<string, string>>;

/** A key of a pick: an Eastern day is that of an instant, bands are named by their places among those of the rules. */
function keyOf(name: string, instant: Instant): string {
  const sources: Figures = {
    day: `(b.${instant} at time zone 'America/New_York')::date`,
    odds_band: `width_bucket(b.odds_american, array[${oddsBands.slice(1).map((band) => band.fromOdds)}])`,
    stake_band: `width_bucket(b.stake_e4, array[${stakeBands.slice(1).map((band) => 10_000 * band.fromUnits!)}])`,
  };
  return sources[name] ?? `b.${name}`;
}

/** The sum of a column; of an instant the latest. */
const sumOf = (column: string, of: string) => `${column === 'last_posted_at' ? 'max' : 'sum'}(${of})`;

/** The rows of `daily_rollups` that some picks give. @param picks what follows FROM, with the picks as `b` */
function pickSums(figures: Figures, instant: Instant, picks: string): string {
  const by = rollups.daily_rollups.map((key) => `${keyOf(key, instant)} as ${key}`);
  const sums = Object.entries(figures).map(([column, figure]) => `${sumOf(column, figure)} as ${column}`);
  return `select ${[...by, ...sums].join(', ')} from ${picks} group by ${by.map((_, index) => index + 1).join(', ')}`;
}

/** The rows that other rows, of picks or of sums, give for a table. @param rows what follows FROM */
function rowSums(table: Rollup, columns: readonly string[], rows: string): string {
  const by = rollups[table].join(', ');
  const sums = columns.map((column) => `${sumOf(column, column)} as ${column}`);
  return `select ${by}, ${sums.join(', ')} from ${rows} group by ${by}`;
}

/** Adds the figures of some picks to each table. */
async function addFigures(
  transaction: Transaction,
  figures: Figures,
  instant: Instant,
  picks: string,
  bindings: Record<string, unknown>,
): Promise<void> {
  const columns = Object.keys(figures);
  const tables = Object.keys(rollups) as Rollup[];
  const keys = [...new Set(tables.flatMap((table): readonly string[] => rollups[table]))];
  const added = [
    ...keys.map((key) => `${keyOf(key, instant)} as ${key}`),
    ...Object.entries(figures).map(([column, figure]) => `${figure} as ${column}`),
  ];
  const changes = columns.map((column) =>
    column === 'last_posted_at'
      ? `${column} = greatest(r.${column}, excluded.${column})`
      : `${column} = r.${column} + excluded.${column}`,
  );
  const inserts = tables.map((table) => {
    const by = rollups[table].join(', ');
    return `${table}_added as (
      insert into ${table} as r (${by}, ${columns.join(', ')}) ${rowSums(table, columns, 'added')}
      on conflict (${by}) do update set ${changes.join(', ')})`;
  });
  await transaction.raw(
    `with added as materialized (select ${added.join(', ')} from ${picks}), ${inserts.join(', ')} select`,
    bindings as Record<string, number>,
  );
}

/**
 * Adds the entries from `from` up to, not including, `to` to the tables of {@link rollups}: picks by the ET day of posting, and results
 * by that of settling.
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
  if (kinds.has('posted'))
    await addFigures(transaction, postedFigures, 'posted_at', picks('posted'), { from, to });
  if (kinds.has('settled'))
    await addFigures(transaction, settledFigures, 'settled_at', picks('settled'), { from, to });
}

/** Counts settled picks as late that turned out to be so after they had settled. */
export async function addLate(transaction: Transaction, pickIds: readonly number[]): Promise<void> {
  const picks = `board_picks b where b.pick_id = any(:pickIds::bigint[]) and b.result is not null and b.sealed_in_time = 'late'`;
  await addFigures(transaction, { late: settledFigures.late }, 'settled_at', picks, { pickIds });
}

/** The columns of {@link Tally} as sums over picks as `b`. */
const tallySources = [
  ...Object.entries(tallyColumns).map(
    ([name, column]) => `coalesce(sum(${settledFigures[column]}), 0)::bigint as "${name}"`,
  ),
  `count(*) filter (where b.provenance = 'imported') as imported`,
];

/** The tally of some picks, settled or not. @param picks what follows FROM, with the picks of `board_picks` as `b` */
export async function tallyOf(database: Database, picks: string): Promise<Tally> {
  const { rows }: { rows: [Tally] } = await database.raw(
    `select ${tallySources.join(', ')} from ${picks} and b.result is not null`,
  );
  return rows[0];
}

/** The rows of `daily_rollups` that all picks in `board_picks` of some cappers give, as a query. @param cappers a condition on `b` */
export function rollupsOf(cappers: string): string {
  const keys = rollups.daily_rollups.join(', ');
  const sums = sumColumns.map((column) =>
    column === 'last_posted_at' ? column : `coalesce(${column}, 0) as ${column}`,
  );
  return `select ${keys}, ${sums.join(', ')}
    from (${pickSums(postedFigures, 'posted_at', `board_picks b where ${cappers}`)}) posted
    full join (${pickSums(settledFigures, 'settled_at', `board_picks b where b.result is not null and ${cappers}`)}) settled
      using (${keys})`;
}

const sumColumns = Object.keys({ ...postedFigures, ...settledFigures });

/** The rows of a table that is made of `daily_rollups`, as a query. @param days a condition on it */
export function totalsOf(table: 'capper_totals' | 'sport_days', days: string): string {
  return rowSums(table, sumColumns, `daily_rollups where ${days}`);
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

/**
 * The tallies of a capper's settled picks that pass a filter by Eastern month of settling, such as `2026-01`, the latest first; none of a
 * month without any.
 * @param firstDay an ET date
 */
export async function monthTallies(
  database: Database,
  { capperId, ...filter }: TallyFilter & { capperId: number },
  firstDay: string,
): Promise<(Tally & { month: string })[]> {
  return database('daily_rollups as r')
    .where('r.capper_id', capperId)
    .where('r.day', '>=', firstDay)
    .modify((query) => passing(query, 'r', filter))
    .groupByRaw('1')
    .havingRaw('sum(r.wins + r.losses + r.pushes + r.voids) > 0')
    .orderByRaw('1 desc')
    .select({ month: database.raw(`to_char(r.day, 'YYYY-MM')`), ...tallySums(database) });
}

/** A tally of picks whose prices and stakes are in the same bands; these by their places among those of the rules. */
export interface BandTally extends Tally {
  oddsBand: number;
  stakeBand: number;
}

/**
 * The tallies of a capper's latest settled picks that pass a filter by band of price and of stake.
 * @param firstDay an ET date; null for all days
 * @param limit of the picks
 */
export async function bandTallies(
  database: Database,
  { capperId, ...filter }: TallyFilter & { capperId: number },
  firstDay: string | null,
  limit: number,
): Promise<BandTally[]> {
  const picks = database('board_picks as p')
    .where('p.capper_id', capperId)
    .whereNotNull('p.result')
    .modify((query) => {
      passing(query, 'p', filter);
      if (firstDay !== null) query.where('p.settled_at', '>=', new Date(etDayStart(firstDay)));
    })
    .orderBy([
      { column: 'p.settled_at', order: 'desc' },
      { column: 'p.posted_at', order: 'desc' },
      { column: 'p.uuid', order: 'desc' },
    ])
    .limit(limit)
    .select('p.*');
  const { rows }: { rows: BandTally[] } = await database.raw(
    `select ${keyOf('odds_band', 'settled_at')} as "oddsBand", ${keyOf('stake_band', 'settled_at')} as "stakeBand", ${tallySources.join(', ')}
     from (?) b group by 1, 2`,
    [picks],
  );
  return rows;
}
