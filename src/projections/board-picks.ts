import type { Knex } from 'knex';
import { type CopiedEvents, type CopiedField, copiedFields } from '../ledger/events.ts';
import type { CopiedPick } from '../ledger/pick.ts';
import { copiedSources } from '../ledger/pick-forms.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { provenances, type SealedInTime, tiers } from '../rules/vocabulary.ts';
import type { ProvenanceFilter } from './pick-filter.ts';

/** A pick with its closing, settlement, and seal, as {@link boardPicks} reads it. `startsAt` is the current start. */
export interface BoardPick extends CopiedPick, CopiedEvents {
  verified: boolean;
  /** The name that a source has for its subject; null if none has one. */
  sourceName: string | null;
  heldStart: EpochMs | null;
  sameLine: boolean | null;
  clvCountedBps: number | null;
  sealed: boolean;
  /** When the first checkpoint that covers the pick was signed. */
  sealedAt: EpochMs | null;
  sealedInTime: SealedInTime | null;
}

const postedSources = { ...copiedSources, startsAt: 'g.starts_at', heldStart: 'g.held_start' };

function copiedSourcesBy(sourceOf: (field: CopiedField) => string) {
  const all = [...copiedFields.closed, ...copiedFields.settled];
  return Object.fromEntries(all.map((field) => [field.name, sourceOf(field)])) as Record<
    keyof CopiedEvents,
    string
  >;
}

/** Source columns of a {@link BoardPick}, except those of its capper, in a query of `board_picks as p` and `games as g`. */
export const sealedSources = {
  ...postedSources,
  id: 'p.pick_id',
  sport: 'p.sport',
  ...copiedSourcesBy(({ column }) => `p.${column}`),
  ...inCamelCase('p.same_line p.clv_counted_bps p.sealed_at p.sealed_in_time'),
} as const;

const sourceName =
  '(select n.name from subject_names n where n.game_id = p.game_id and n.subject = p.subject and p.subject is not null)';

/** The order of lists of picks, of {@link boardPicks}: the latest first. */
export const newestFirst: { column: string; order: 'asc' | 'desc' }[] = [
  { column: 'p.posted_at', order: 'desc' },
  { column: 'p.uuid', order: 'asc' },
];

/** `board_picks as p`, joined with `games as g`: callers filter and order by these aliases. @param from a subset of the picks, as `p` */
export function boardPicks(
  database: Database,
  from: string | Knex.Raw = 'board_picks as p',
): Knex.QueryBuilder<BoardPick, BoardPick[]> {
  return database
    .from(from as string)
    .join('games as g', 'g.id', 'p.game_id')
    .select({
      ...sealedSources,
      // A subquery, so that it runs only for picks that remain after filter and limit.
      handle: database.raw('(select c.handle from cappers c where c.id = p.capper_id)'),
      verified: database.raw('(select c.verified from cappers c where c.id = p.capper_id)'),
      sourceName: database.raw(sourceName),
      sealed: database.raw('true'),
    });
}

/** Finds a pick by UUID. Reads a pick that `board_picks` lacks from the ledger's tables. @returns undefined if it does not exist */
export async function pickByUuid(database: Database, uuid: string): Promise<BoardPick | undefined> {
  const [sealed] = await boardPicks(database).where('p.uuid', uuid);
  if (sealed !== undefined) return sealed;
  const [stored]: BoardPick[] = await database('picks as p')
    .join('games as g', 'g.id', 'p.game_id')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .leftJoin('closings as k', 'k.pick_id', 'p.id')
    .leftJoin('settlements as s', 's.pick_id', 'p.id')
    .where('p.uuid', uuid)
    .select({
      ...postedSources,
      verified: 'c.verified',
      sourceName: database.raw(sourceName),
      ...copiedSourcesBy(({ source }) => source),
      sameLine: database.raw('k.line_e3 is not distinct from p.line_e3'),
      // Shown once the pick is on the boards, a second later.
      clvCountedBps: database.raw('null::int'),
      sealedAt: database.raw('null'),
      sealedInTime: database.raw('null'),
      sealed: database.raw(
        `exists (select 1 from ledger_entries e where e.pick_id = p.id and e.kind = 'posted')`,
      ),
    });
  return stored;
}

/** Absent fields do not filter. */
interface FeedFilter {
  tier?: string | undefined;
  sport?: string | undefined;
  provenance?: ProvenanceFilter | undefined;
}

/**
 * The orders of feeds, each with the columns that precede the order in its index. NULLS LAST makes the planner use that index. Otherwise it
 * would read the index of all picks to its end for a sport without picks (`GROWTH_ONLY=feed npm run bench -- growth`).
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
 * Returns the first picks of a feed, as `board_picks as p` for a query. It reads at most `limit` rows for each tier, sport, and provenance
 * that the filter admits, even if few picks pass.
 * @param where a condition on the pick `b`, which most picks satisfy
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
