import type { Knex } from 'knex';
import type { Database, Transaction } from '../platform/database.ts';
import { windowFirstDay } from '../rules/et-day.ts';
import { addTallies, type Tally } from '../rules/tally.ts';
import { type Window, windowDays } from '../rules/vocabulary.ts';
import { ofProvenance, type ProvenanceFilter } from './provenance.ts';

/**
 * Adds the entries from `from` up to, not including, `to` to `daily_rollups`: per capper, sport, market, provenance and ET day, picks by the day of
 * posting and results by the day of settling.
 */
export async function extendRollups(transaction: Transaction, from: number, to: number): Promise<void> {
  await transaction.raw(
    `insert into daily_rollups as r (capper_id, sport, market, provenance, day, posted, last_posted_at)
     select b.capper_id, b.sport, b.market, b.provenance, (b.posted_at at time zone 'America/New_York')::date, count(*), max(b.posted_at)
     from ledger_entries e join board_picks b on b.pick_id = e.pick_id
     where e.seq >= :from and e.seq < :to and e.kind = 'posted'
     group by 1, 2, 3, 4, 5
     on conflict (capper_id, sport, market, day, provenance) do update set
       posted = r.posted + excluded.posted,
       last_posted_at = greatest(r.last_posted_at, excluded.last_posted_at)`,
    { from, to },
  );
  await transaction.raw(
    `insert into daily_rollups as r (capper_id, sport, market, provenance, day, wins, losses, pushes, voids, net_e4, staked_e4, clv_sum,
       clv_sample, clv_same_line_sample, late)
     select b.capper_id, b.sport, b.market, b.provenance, (b.settled_at at time zone 'America/New_York')::date,
       count(*) filter (where b.result = 'win'), count(*) filter (where b.result = 'loss'),
       count(*) filter (where b.result = 'push'), count(*) filter (where b.result = 'void'),
       sum(b.net_units_e4), coalesce(sum(b.stake_e4) filter (where b.result in ('win', 'loss')), 0),
       coalesce(sum(b.clv_bps), 0), count(b.clv_bps), count(*) filter (where b.clv_bps is not null and b.same_line),
       count(*) filter (where b.sealed_in_time = 'late')
     from ledger_entries e join board_picks b on b.pick_id = e.pick_id
     where e.seq >= :from and e.seq < :to and e.kind = 'settled'
     group by 1, 2, 3, 4, 5
     on conflict (capper_id, sport, market, day, provenance) do update set
       wins = r.wins + excluded.wins, losses = r.losses + excluded.losses, pushes = r.pushes + excluded.pushes,
       voids = r.voids + excluded.voids, net_e4 = r.net_e4 + excluded.net_e4, staked_e4 = r.staked_e4 + excluded.staked_e4,
       clv_sum = r.clv_sum + excluded.clv_sum, clv_sample = r.clv_sample + excluded.clv_sample,
       clv_same_line_sample = r.clv_same_line_sample + excluded.clv_same_line_sample,
       late = r.late + excluded.late`,
    { from, to },
  );
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
