import type { Knex } from 'knex';
import type { Provenance } from '../rules/vocabulary.ts';

/** Which picks a board is about. Default: all. */
export interface PickFilter {
  sport?: string | undefined;
  market?: string | undefined;
  provenance?: ProvenanceFilter;
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

/** The condition, as SQL, that a pick counts in figures, as `counts` in `rules/price-check.ts` has it. @param table an alias of `board_picks` */
export function countsSql(table: string): string {
  return `(${table}.price_verdict is null or ${table}.price_verdict in ('available', 'unchecked'))`;
}

/** Which picks a board is about. */
export type ProvenanceFilter = Provenance | 'all';

/** Narrows a query to picks that came in one way. */
export function ofProvenance(query: Knex.QueryBuilder, column: string, provenance: ProvenanceFilter): void {
  if (provenance !== 'all') query.where(column, provenance);
}
