import type { Knex } from 'knex';
import { etDayStart } from '../rules/et-day.ts';
import type { Provenance } from '../rules/vocabulary.ts';

/** The picks that a board includes. Default: all. */
export interface PickFilter {
  sport?: string | undefined;
  market?: string | undefined;
  provenance?: ProvenanceFilter | undefined;
}

/** Narrows a query to picks that pass a filter. @param table a name or alias with columns `sport`, `market`, `provenance` */
export function passing(
  query: Knex.QueryBuilder,
  table: string,
  { sport, market, provenance = 'all' }: PickFilter,
): Knex.QueryBuilder {
  if (sport !== undefined) query.where(`${table}.sport`, sport);
  if (market !== undefined) query.where(`${table}.market`, market);
  ofProvenance(query, `${table}.provenance`, provenance);
  return query;
}

/** Settled picks, of `board_picks as b`, that pass a filter. @param firstDay the first ET date of settling; null for all */
export function settledFrom(
  query: Knex.QueryBuilder,
  firstDay: string | null,
  filter: PickFilter,
): Knex.QueryBuilder {
  if (firstDay !== null) query.where('b.settled_at', '>=', new Date(etDayStart(firstDay)));
  return passing(query.whereNotNull('b.result'), 'b', filter);
}

/** SQL condition, like `counts` in `rules/price-check.ts`. @param table an alias of `board_picks` */
export function countsSql(table: string): string {
  return `${table}.price_verdict is distinct from 'unseen'`;
}

/** SQL expression (docs/rules/prices.md#what-counts). @param table an alias of `board_picks` */
export function countedOddsSql(table: string): string {
  return `${table}.counted_odds`;
}

export type ProvenanceFilter = Provenance | 'all';

export function ofProvenance(query: Knex.QueryBuilder, column: string, provenance: ProvenanceFilter): void {
  if (provenance !== 'all') query.where(column, provenance);
}
