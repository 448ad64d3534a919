import type { Knex } from 'knex';
import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import type { Database } from '../platform/database.ts';
import { windowFirstDay } from '../rules/et-day.ts';
import { addTallies, type Tally } from '../rules/tally.ts';
import { type Window, windowDays } from '../rules/vocabulary.ts';

/** A field that is there and may be null. */
export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** The record of settled picks as boards show it. */
export const recordSchema = Type.Object(
  {
    picks: Type.Integer({ description: 'Settled picks.' }),
    wins: Type.Integer(),
    losses: Type.Integer(),
    pushes: Type.Integer(),
    voids: Type.Integer(),
    record: Type.String({ description: 'Wins, losses and pushes: `W-L-P`.' }),
    hitRatePct: nullable(Type.Number()),
    unitsNet: Type.Number(),
    unitsStaked: Type.Number({ description: 'Stakes of wins and losses.' }),
    roiPct: nullable(Type.Number()),
    clvMeanBps: nullable(Type.Number()),
    clvSample: Type.Integer({ description: 'Picks with a closing price.' }),
    clvSameLineSample: Type.Integer({ description: 'Those of them whose line had not moved.' }),
  },
  { title: 'Record' },
);

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
  };
}

/** How many settled picks a tally holds. */
export function settledCount({ wins, losses, pushes, voids }: Tally): number {
  return wins + losses + pushes + voids;
}

/**
 * The tallies of several windows that end today, in one pass over the rollups.
 * @param today an ET date
 * @param capperId of whom; default all
 */
export async function windowTallies<W extends Window>(
  database: Database,
  windows: readonly W[],
  today: string,
  capperId?: number,
): Promise<{ [Name in W]: Tally }> {
  const widest = windows.toSorted((a, b) => (windowDays[b] ?? Infinity) - (windowDays[a] ?? Infinity));
  const firstDays = widest.map((window) => windowFirstDay(window, today) ?? '-infinity');
  // A day counts once, in the narrowest window that holds it; wider windows hold the narrower ones.
  const rows: (Tally & { depth: number })[] = await database('daily_rollups as r')
    .modify((query) => capperId !== undefined && query.where('r.capper_id', capperId))
    .select({ depth: database.raw('width_bucket(r.day, ?::date[])', [firstDays]), ...tallySums(database) })
    .groupBy('depth');
  const tallies = widest.map(
    (window, index) => [window, addTallies(rows.filter(({ depth }) => depth > index))] as const,
  );
  return Object.fromEntries(tallies) as { [Name in W]: Tally };
}
