import type { Knex } from 'knex';
import type { Database } from '../platform/database.ts';
import { provenances, tiers } from '../rules/vocabulary.ts';
import type { ProvenanceFilter } from './pick-filter.ts';

/** Which picks a feed lists; what is absent does not narrow it. */
export interface FeedFilter {
  tier?: string | undefined;
  sport?: string | undefined;
  provenance?: ProvenanceFilter | undefined;
}

/**
 * The orders of feeds, each with the columns that its index has before the order. NULLS LAST changes nothing but which index has that order:
 * to the planner, which cannot know how rare a pick is, an index over all picks looks cheaper.
 */
const orders = {
  posted: {
    by: ['tier', 'sport', 'provenance'],
    where: 'true',
    instant: 'b.posted_at desc',
    ties: 'b.uuid',
  },
  'posted, by id': {
    by: ['tier', 'sport', 'provenance'],
    where: 'true',
    instant: 'b.posted_at desc',
    ties: 'b.pick_id desc',
  },
  settled: {
    by: ['sport', 'provenance'],
    where: 'b.result is not null',
    instant: 'b.settled_at desc',
    ties: 'b.posted_at desc, b.uuid',
  },
} as const;

/**
 * The first picks of a feed, as `board_picks as p` for a query. However few the filter lets through, it reads at most `limit` rows for each
 * tier, sport and provenance that the filter leaves open, and no others.
 * @param where a condition on the pick `b`, which most picks meet
 */
export function feedPicks(
  database: Database,
  order: keyof typeof orders,
  { tier, sport, provenance = 'all' }: FeedFilter,
  limit: number,
  where = 'true',
): Knex.Raw {
  const { by, where: listed, instant, ties } = orders[order];
  const orderBy = `${instant}, ${ties}`;
  const narrow = tier !== undefined || sport !== undefined || provenance !== 'all';
  const conditions = `${listed} and (${where})`;
  if (!narrow)
    return database.raw(
      `(select b.* from board_picks b where ${conditions} order by ${orderBy} limit :limit) as p`,
      { limit },
    );
  const sources = {
    tier: 'unnest(:tiers::text[]) as tier (value)',
    sport: `(select key as value from sports ${sport === undefined ? '' : 'where key = :sport'}) as sport`,
    provenance: 'unnest(:provenances::text[]) as provenance (value)',
  };
  return database.raw(
    `(select b.* from ${by.map((column) => sources[column]).join(' cross join ')}
      cross join lateral (
        select b.* from board_picks b
        where ${by.map((column) => `b.${column} = ${column}.value`).join(' and ')} and ${conditions}
        order by ${instant} nulls last, ${ties} limit :limit
      ) b
      order by ${orderBy} limit :limit) as p`,
    {
      limit,
      tiers: tier === undefined ? tiers : [tier],
      sport: sport ?? null,
      provenances: provenance === 'all' ? provenances : [provenance],
    } as never,
  );
}
