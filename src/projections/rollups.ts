import type { Knex } from 'knex';
import { entriesIn } from '../ledger/sealing/advance-cursor.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { etDay, windowFirstDay } from '../rules/et-day.ts';
import { addTallies, type SettledPick, type Tally, tallyOf } from '../rules/tally.ts';
import type { Provenance, Window } from '../rules/vocabulary.ts';
import { countsSql, type PickFilter, passing } from './pick-filter.ts';
import { settledFields } from './settled-picks.ts';

/** The columns of a {@link Tally} in the tables of {@link rollups}. `imported` follows from the provenance. */
const tallyColumns: { readonly [Name in Exclude<keyof Tally, 'imported'>]: string } = {
  ...inCamelCase('wins losses halves pushes voids net_e4 staked_e4 break_even_e9 flat_e6 flat_variance_e6'),
  ...inCamelCase(
    'clv_sum clv_sample clv_moved_sample edge_sum edge_sample late unchecked above_market unseen',
  ),
};
const tallyNames = Object.keys(tallyColumns) as (keyof typeof tallyColumns)[];

export const rollups = {
  daily_rollups: ['capper_id', 'sport', 'market', 'provenance', 'day'],
  capper_totals: ['capper_id', 'sport', 'market', 'provenance'],
  follower_days: ['capper_id', 'sport', 'market', 'delay', 'day'],
  follower_totals: ['capper_id', 'sport', 'market', 'delay'],
} as const;
type Rollup = keyof typeof rollups;

const totalsOfDays = { daily_rollups: 'capper_totals', follower_days: 'follower_totals' } as const;
type Days = keyof typeof totalsOfDays;

/** All summed columns. Followers have no posts. */
const sumColumns = ['posted', 'last_posted_at', ...Object.values(tallyColumns)];
const sumColumnsOf: { [Table in Rollup]: readonly string[] } = {
  daily_rollups: sumColumns,
  capper_totals: sumColumns,
  follower_days: Object.values(tallyColumns),
  follower_totals: Object.values(tallyColumns),
};

export const pickFields = {
  ...settledFields,
  ...inCamelCase('b.capper_id b.sport b.market b.posted_at b.settled_at'),
} as const;

interface Subject {
  capperId: number;
  sport: string;
  market: string;
  provenance: Provenance;
  postedAt: number;
}

export type Settled = Subject & SettledPick & { settledAt: number };
type Pick = Settled | (Subject & { result: null });

/** The contribution of an event to a table of days: the keys of a row, and the columns that are not 0. */
export type Addition = Record<string, string | number>;

/** @param at time of the event */
function addition(
  { capperId, sport, market, provenance }: Subject,
  at: EpochMs,
  figures: Addition,
): Addition {
  return { capper_id: capperId, sport, market, provenance, day: etDay(at), ...figures };
}

function ofPosting(pick: Subject): Addition {
  return addition(pick, pick.postedAt, {
    posted: 1,
    last_posted_at: new Date(pick.postedAt).toISOString(),
  });
}

export function ofSettling(pick: Settled): Addition {
  const tally = tallyOf([pick]);
  const figures = tallyNames.filter((name) => tally[name] !== 0);
  return addition(
    pick,
    pick.settledAt,
    Object.fromEntries(figures.map((name) => [tallyColumns[name], tally[name]])),
  );
}

/** SQL for FROM: rows of the additions bound as `:additions`. The column types check nothing, because the audit must name forged values. */
const additionRows = `jsonb_to_recordset(:additions) as added (
  capper_id int, sport text, market text, provenance text, delay int, day date, last_posted_at timestamptz,
  ${sumColumns.filter((column) => column !== 'last_posted_at').join(' bigint, ')} bigint)`;

/** @param rows the text after FROM */
function sumsOf(table: Rollup, rows: string): string {
  const by = rollups[table].join(', ');
  const sums = sumColumnsOf[table].map((column) =>
    column === 'last_posted_at' ? `max(${column}) as ${column}` : `coalesce(sum(${column}), 0) as ${column}`,
  );
  return `select ${by}, ${sums.join(', ')} from ${rows} group by ${by}`;
}

export async function addSums(
  transaction: Transaction,
  days: Days,
  additions: readonly Addition[],
): Promise<void> {
  if (additions.length === 0) return;
  const columns = sumColumnsOf[days];
  const changes = columns.map((column) =>
    column === 'last_posted_at'
      ? `${column} = greatest(r.${column}, excluded.${column})`
      : `${column} = r.${column} + excluded.${column}`,
  );
  const inserts = [days, totalsOfDays[days]].map((table) => {
    const by = rollups[table].join(', ');
    return `${table}_added as (
      insert into ${table} as r (${by}, ${columns.join(', ')}) ${sumsOf(table, 'added')}
      on conflict (${by}) do update set ${changes.join(', ')})`;
  });
  await transaction.raw(
    `with added as materialized (${sumsOf(days, additionRows)}), ${inserts.join(', ')} select`,
    { additions: JSON.stringify(additions) },
  );
}

/**
 * Adds the entries from `from` up to, but not including, `to` to `daily_rollups` and `capper_totals`: posts under the ET day of posting,
 * results under the ET day of settling.
 */
export async function extendRollups(transaction: Transaction, from: number, to: number): Promise<void> {
  const picks: ((Subject & { kind: 'posted' }) | (Settled & { kind: 'settled' }))[] = await entriesIn(
    transaction,
    from,
    to,
  )
    .join('board_picks as b', 'b.pick_id', 'e.pick_id')
    .whereIn('e.kind', ['posted', 'settled'])
    .select({ kind: 'e.kind', ...pickFields });
  await addSums(
    transaction,
    'daily_rollups',
    picks.map((pick) => (pick.kind === 'posted' ? ofPosting(pick) : ofSettling(pick))),
  );
}

/** Counts picks as late if a checkpoint showed this only after they had settled. */
export async function addLate(transaction: Transaction, pickIds: readonly number[]): Promise<void> {
  const late: Settled[] = await transaction('board_picks as b')
    .whereRaw('b.pick_id = any(?::bigint[])', [[...pickIds]])
    .whereNotNull('b.result')
    .where('b.sealed_in_time', 'late')
    .whereRaw(countsSql('b'))
    .select(pickFields);
  await addSums(
    transaction,
    'daily_rollups',
    late.map((pick) => ofBeingLate(pick)),
  );
}

export function ofBeingLate(pick: Settled): Addition {
  return addition(pick, pick.settledAt, { late: 1 });
}

/** A query of the rows that the picks in `board_picks` of some cappers give. @param cappers a condition on `b` */
export async function rollupsOf(database: Database, cappers: string) {
  const picks: Pick[] = await database('board_picks as b').whereRaw(cappers).select(pickFields);
  // Leaves out forged instants that JavaScript cannot represent, which belong to no day.
  const additions = picks.flatMap((pick) => [
    ...(Number.isFinite(pick.postedAt) ? [ofPosting(pick)] : []),
    ...(pick.result !== null && Number.isFinite(pick.settledAt) ? [ofSettling(pick)] : []),
  ]);
  return daysOf('daily_rollups', additions);
}

export function daysOf(days: Days, additions: readonly Addition[]) {
  return { sql: sumsOf(days, additionRows), bindings: { additions: JSON.stringify(additions) } };
}

/** Returns a query of the totals of a table of days. @param condition on the table of days */
export function totalsOf(days: Days, condition: string): string {
  return sumsOf(totalsOfDays[days], `${days} where ${condition}`);
}

/** The sum of the tallies in rows of `daily_rollups` or `capper_totals` `as r`, for a query's `select`. */
export function sumOfTallies(database: Database): { [Name in keyof Tally]: Knex.Raw } {
  return {
    ...sumOfColumns(database),
    imported: database.raw(
      `coalesce(sum(r.wins::bigint + r.losses + r.pushes + r.voids) filter (where r.provenance = 'imported'), 0)::bigint`,
    ),
  };
}

/** The sum of the tallies in rows of `follower_days` or `follower_totals`. Nobody can follow an imported pick. */
export function sumOfFollowerTallies(database: Database): { [Name in keyof Tally]: Knex.Raw } {
  return { ...sumOfColumns(database), imported: database.raw('0') };
}

function sumOfColumns(database: Database): { [Name in keyof typeof tallyColumns]: Knex.Raw } {
  const sums = tallyNames.map((name) => [
    name,
    // Limits forged sums to the range that JavaScript represents exactly.
    database.raw('least(greatest(coalesce(sum(??), 0), ?), ?)::bigint', [
      `r.${tallyColumns[name]}`,
      Number.MIN_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER,
    ]),
  ]);
  return Object.fromEntries(sums) as { [Name in keyof typeof tallyColumns]: Knex.Raw };
}

interface TallyFilter extends PickFilter {
  capperId?: number;
}

/**
 * Reads tallies of several windows that end today. Windows with a first day share one pass over the days; the unlimited window uses the
 * totals.
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
  // Each day counts in the narrowest window that contains it; wider windows add up the narrower ones.
  const days: Promise<(Tally & { depth: number })[]> = database('daily_rollups as r')
    .where('r.day', '>=', firstDays[0] ?? 'infinity')
    .modify(narrowed)
    .select({ depth: database.raw('width_bucket(r.day, ?::date[])', [firstDays]), ...sumOfTallies(database) })
    .groupBy('depth');
  const total: Promise<Tally[]> = database('capper_totals as r')
    .modify(narrowed)
    .select(sumOfTallies(database));
  const [byDepth, [everything]] = await Promise.all([
    firstDays.length === 0 ? [] : days,
    firstDays.length === windows.length ? [] : total,
  ]);
  const within = (window: W): Tally => {
    const index = bounded.findIndex((each) => each.window === window);
    return index < 0 ? everything! : addTallies(byDepth.filter(({ depth }) => depth > index));
  };
  return Object.fromEntries(windows.map((window) => [window, within(window)])) as { [Name in W]: Tally };
}

/**
 * For days of a capper that have any.
 * @param columns by the names of their sums
 * @param firstDay an ET date
 */
export async function daySums<Name extends string>(
  database: Database,
  columns: Readonly<Record<Name, string>>,
  { capperId, ...filter }: TallyFilter & { capperId: number },
  firstDay: string,
): Promise<Map<string, Record<Name, number>>> {
  const sums = Object.entries<string>(columns).map(([name, column]) => [
    name,
    database.raw('sum(??)::bigint', [column]),
  ]);
  const rows: { day: string }[] = await database('daily_rollups as r')
    .where('r.capper_id', capperId)
    .where('r.day', '>=', firstDay)
    .modify((query) => passing(query, 'r', filter))
    .groupBy('day')
    .select({ day: 'day', ...Object.fromEntries(sums) });
  return new Map(rows.map((row) => [row.day, row as { day: string } & Record<Name, number>]));
}

/**
 * Reads tallies of a capper's settled picks by Eastern month of settling, such as `2026-01`, latest first. Months without picks are left
 * out.
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
    .havingRaw('sum(r.wins::bigint + r.losses + r.pushes + r.voids) > 0')
    .orderByRaw('1 desc')
    .select({ month: database.raw(`to_char(r.day, 'YYYY-MM')`), ...sumOfTallies(database) });
}
