import type { Knex } from 'knex';
import type { Provenance } from '../rules/vocabulary.ts';

/** Which picks a board is about. */
export type ProvenanceFilter = Provenance | 'all';

/** Narrows a query to picks that came in one way. */
export function ofProvenance(query: Knex.QueryBuilder, column: string, provenance: ProvenanceFilter): void {
  if (provenance !== 'all') query.where(column, provenance);
}
