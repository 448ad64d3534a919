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

/** What picks add to the day of settling. */
const settledSums = {
  wins: `count(*) filter (where b.result = 'win')`,
  losses: `count(*) filter (where b.result = 'loss')`,
  pushes: `count(*) filter (where b.result = 'push')`,
  voids: `count(*) filter (where b.result = 'void')`,
  net_e4: 'sum(b.net_units_e4)',
  staked_e4: `coalesce(sum(b.stake_e4) filter (where b.result in ('win', 'loss')), 0)`,
  clv_sum: 'coalesce(sum(b.clv_bps), 0)',
  clv_sample: 'count(b.clv_bps)',
  clv_same_line_sample: 'count(*) filter (where b.clv_bps is not null and b.same_line)',
  late: `count(*) filter (where b.sealed_in_time = 'late')`,
} as const;

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
  const sum = (column: string) => database.raw('coalesce(sum(??), 0)::bigint', [`r.${column}`]);
  return {
    wins: sum('wins'),
    losses: sum('losses'),
    pushes: sum('pushes'),
    voids: sum('voids'),
    netE4: sum('net_e4'),
    stakedE4: sum('staked_e4'),
    clvSum: sum('clv_sum'),
    clvSample: sum('clv_sample'),
    clvSameLineSample: sum('clv_same_line_sample'),
    imported: database.raw(
      `coalesce(sum(r.wins + r.losses + r.pushes + r.voids) filter (where r.provenance = 'imported'), 0)::bigint`,
    ),
    late: sum('late'),
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
