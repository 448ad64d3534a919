import { inOddsForm, type OddsForm } from '../boards/formats/odds-text.ts';
import { pickItem, sportTag } from '../boards/formats/pick-facts.ts';
import { rss } from '../boards/formats/rss.ts';
import { notice } from '../boards/formats/safe-text.ts';
import { type PublicPick, publicPick } from '../boards/pick.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type BoardPick, boardPicks, feedPicks } from '../projections/board-picks.ts';
import type { ExportFilter } from './export-filter.ts';

/** Feed readers get the newest items; the exports are the way to everything. */
const maxItems = 100;

/** Minutes for which a copy of the feed is good. */
const ttl = 15;

/** The settled picks of the record that a filter lets through, the latest settled first. */
export async function settledPicks(
  database: Database,
  filter: ExportFilter,
  baseUrl: string,
): Promise<PublicPick[]> {
  const { since, sport, limit, afterId } = filter;
  const where = [
    ...(since === null ? [] : [`b.posted_at >= to_timestamp(${since / 1000})`]),
    ...(afterId === null ? [] : [`b.pick_id > ${afterId}`]),
    'true',
  ].join(' and ');
  const first = feedPicks(
    database,
    'settled',
    { sport: sport ?? undefined },
    Math.min(limit, maxItems),
    where,
  );
  const rows: BoardPick[] = await boardPicks(database, first).orderBy([
    { column: 'p.settled_at', order: 'desc' },
    { column: 'p.posted_at', order: 'desc' },
    { column: 'p.uuid', order: 'asc' },
  ]);
  return rows.map((row) => publicPick(row, baseUrl));
}

/**
 * `/record/rss.xml`: what the record gained last. An item appears once its pick has settled, at the time of that.
 * @param picks undefined when the data store is out of reach
 * @param odds how prices are written
 */
export function recordRss(
  picks: readonly PublicPick[] | undefined,
  filter: ExportFilter,
  { baseUrl, helpLine }: { baseUrl: string; helpLine: string },
  odds: OddsForm = 'american',
): string {
  const about =
    picks === undefined
      ? 'The ledger cannot be read right now, so items are missing. Try again in a few minutes.'
      : 'Settled picks as they enter the record: result, closing odds, and CLV.';
  const channel = {
    title: `The record${filter.sport === null ? '' : ` (${sportTag(filter.sport)})`}`,
    link: `${baseUrl}/record/export`,
    self: `${baseUrl}/record/rss.xml${queryOf(filter, odds)}`,
    about: `${about} ${notice(helpLine)}`,
    ttl,
  };
  const items = inOddsForm(odds, () =>
    (picks ?? []).map((pick) => ({
      ...pickItem(pick),
      link: `${baseUrl}/record/${pick.id}`,
      publishedAt: Date.parse(pick.settledAt ?? pick.postedAt),
    })),
  );
  return rss(channel, items);
}

/** The filter as a query, without what does not narrow the feed. */
function queryOf({ since, sport, limit, afterId }: ExportFilter, odds: OddsForm): string {
  const query = new URLSearchParams();
  if (afterId !== null) query.set('after_id', String(afterId));
  if (limit < maxItems) query.set('limit', String(limit));
  if (odds !== 'american') query.set('odds', odds);
  if (since !== null) query.set('since', iso(since));
  if (sport !== null) query.set('sport', sport);
  return query.size === 0 ? '' : `?${query}`;
}
