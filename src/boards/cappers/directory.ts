import type { Knex } from 'knex';
import { isoOrNull } from '../../platform/clock.ts';
import { inCamelCase } from '../../platform/columns.ts';
import { ofProvenance, type ProvenanceFilter } from '../../projections/pick-filter.ts';
import { sumOfTallies } from '../../projections/rollups.ts';
import { readVerdicts } from '../../projections/verdicts.ts';
import { addDays, etDay, etDayStart } from '../../rules/et-day.ts';
import { recordOf, type ShownRecord, type Tally } from '../../rules/tally.ts';
import type { Verdict } from '../../rules/verdict.ts';
import { type Tier, type Window, windowDays } from '../../rules/vocabulary.ts';
import type { BoardContext } from '../endpoint.ts';

/** Cappers scanned for a page. If few of them pass the filters, a page may have fewer than requested. */
const maxScanned = 2000;

/** Figures and activity are those of the sport and provenance. */
export interface DirectoryFilter {
  sport?: string | undefined;
  tier?: Tier | undefined;
  provenance: ProvenanceFilter;
  /** In ET days. */
  active: Window;
  minPicks: number;
}

export interface DirectoryRow {
  handle: string;
  displayName: string | null;
  tier: Tier;
  verified: boolean;
  posted: number;
  lastPostedAt: string | null;
  record: ShownRecord;
  /** In the sport of the filter. */
  verdict: Verdict;
}

/**
 * Reads a page of cappers, ordered by handle. The page size and {@link maxScanned} bound the work.
 * @param after the last handle of the previous page
 * @returns the rows, and the handle to continue after; null on the last page
 */
export async function readDirectory(
  { database, now }: Pick<BoardContext, 'database' | 'now'>,
  { sport, tier, provenance, active, minPicks }: DirectoryFilter,
  limit: number,
  after = '',
): Promise<{ cappers: DirectoryRow[]; next: string | null }> {
  const candidates = database('cappers')
    .where('handle', '>', after)
    .modify((query: Knex.QueryBuilder) => tier !== undefined && query.where('tier', tier))
    .orderBy('handle')
    .limit(maxScanned);
  const totals = database('capper_totals as r')
    .whereRaw('r.capper_id = c.id')
    .modify((query: Knex.QueryBuilder) => {
      if (sport !== undefined) query.where('r.sport', sport);
      ofProvenance(query, 'r.provenance', provenance);
    })
    .select({
      posted: database.raw('coalesce(sum(r.posted), 0)::bigint'),
      lastPostedAt: database.raw('max(r.last_posted_at)'),
      ...sumOfTallies(database),
    });
  const days = windowDays[active];
  const since = days === null ? null : etDayStart(addDays(etDay(now), 1 - days));
  const rows: Row[] = await database
    .from(candidates.as('c'))
    .joinRaw('cross join lateral (?) as t', [totals] as never)
    .where('t.posted', '>=', minPicks)
    .modify(
      (query: Knex.QueryBuilder) => since !== null && query.where('t.lastPostedAt', '>=', new Date(since)),
    )
    .orderBy('c.handle')
    .limit(limit + 1)
    .select('t.*', inCamelCase('c.id c.handle c.display_name c.tier c.verified'));
  const page = rows.slice(0, limit);
  const verdictOn = await readVerdicts(
    database,
    page.map(({ id }) => id),
    { sport },
  );
  const cappers = page.map((row) => shown(row, verdictOn(row.id)));
  if (rows.length > limit) return { cappers, next: cappers.at(-1)!.handle };
  const last: { handle: string } | undefined = await candidates
    .clone()
    .offset(maxScanned - 1)
    .first('handle');
  return { cappers, next: last?.handle ?? null };
}

type Row = Tally &
  Omit<DirectoryRow, 'lastPostedAt' | 'record' | 'verdict'> & { id: number; lastPostedAt: number | null };

function shown(row: Row, verdict: Verdict): DirectoryRow {
  const { handle, displayName, tier, verified, posted } = row;
  const lastPostedAt = isoOrNull(row.lastPostedAt);
  return { handle, displayName, tier, verified, posted, lastPostedAt, record: recordOf(row), verdict };
}
