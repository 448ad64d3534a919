import { inOddsForm, type OddsForm } from '../boards/formats/odds-text.ts';
import { pickItem, sportTag } from '../boards/formats/pick-text.ts';
import { maxItems, rss } from '../boards/formats/rss.ts';
import { notice } from '../boards/formats/safe-text.ts';
import { type PublicPick, publicPick } from '../boards/pick.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type BoardPick, boardPicks, feedPicks } from '../projections/board-picks.ts';
import { type ExportFilter, type FeedPosition, feedCursor } from './export-filter.ts';

export interface FeedPage {
  picks: PublicPick[];
  /** Undefined unless older ones follow. */
  next: FeedPosition | undefined;
}

const ttl = 15;

/** Latest settled first. @param after the start of the page; null: the newest pick */
export async function settledPicks(
  database: Database,
  filter: ExportFilter,
  after: FeedPosition | null,
  baseUrl: string,
): Promise<FeedPage> {
  const { since, sport, afterId, capper } = filter;
  const limit = Math.min(filter.limit, maxItems);
  const where = [
    ...(since === null ? [] : [`b.posted_at >= to_timestamp(${since / 1000})`]),
    ...(afterId === null ? [] : [`b.pick_id > ${afterId}`]),
    ...(after === null ? [] : [afterSql(after)]),
    'true',
  ].join(' and ');
  const first =
    capper === null
      ? feedPicks(database, 'settled', { sport: sport ?? undefined }, limit + 1, where)
      : database.raw(
          `(select b.* from board_picks b where b.capper_id = (select id from cappers where handle = :capper)
              and b.result is not null and (:sport::text is null or b.sport = :sport) and ${where}
            order by b.settled_at desc, b.posted_at desc, b.uuid limit :limit) as p`,
          { capper, sport, limit: limit + 1 } as never,
        );
  const rows: BoardPick[] = await boardPicks(database, first).orderBy([
    { column: 'p.settled_at', order: 'desc' },
    { column: 'p.posted_at', order: 'desc' },
    { column: 'p.uuid', order: 'asc' },
  ]);
  const shown = rows.slice(0, limit);
  const { settledAt, postedAt, uuid } = shown.at(-1) ?? {};
  return {
    picks: shown.map((row) => publicPick(row, baseUrl)),
    next: rows.length > limit ? { settledAt: settledAt!, postedAt: postedAt!, uuid: uuid! } : undefined,
  };
}

function afterSql({ settledAt, postedAt, uuid }: FeedPosition): string {
  const settled = `to_timestamp(${settledAt / 1000})`;
  const posted = `to_timestamp(${postedAt / 1000})`;
  return `b.settled_at <= ${settled} and (b.settled_at < ${settled} or b.posted_at < ${posted}
    or (b.posted_at = ${posted} and b.uuid > '${uuid}'::uuid))`;
}

/**
 * Writes `/record/rss.xml`, the latest additions to the record. An item appears when its pick settles, with that time.
 * @param page undefined if the data store is unreachable
 * @param after the start of the page; null: the newest pick
 * @param odds how odds are written
 */
export function recordRss(
  page: FeedPage | undefined,
  filter: ExportFilter,
  after: FeedPosition | null,
  { baseUrl, helpLine }: { baseUrl: string; helpLine: string },
  odds: OddsForm = 'american',
): string {
  const about =
    page === undefined
      ? 'The ledger cannot be read right now, so items are missing. Try again in a few minutes.'
      : 'Settled picks as they enter the record: result, closing odds, and CLV.';
  const at = (position: FeedPosition | null) => `${baseUrl}/record/rss.xml${queryOf(filter, position, odds)}`;
  const channel = {
    title: `The record${filter.capper === null ? '' : ` of ${filter.capper}`}${filter.sport === null ? '' : ` (${sportTag(filter.sport)})`}`,
    link: `${baseUrl}/record/export`,
    self: at(after),
    older: page?.next && at(page.next),
    newest: after === null ? undefined : at(null),
    about: `${about} ${notice(helpLine)}`,
    ttl,
  };
  const items = inOddsForm(odds, () =>
    (page?.picks ?? []).map((pick) => ({
      ...pickItem(pick),
      link: `${baseUrl}/record/${pick.id}`,
      publishedAt: Date.parse(pick.settledAt ?? pick.postedAt),
    })),
  );
  return rss(channel, items);
}

function queryOf(
  { since, sport, limit, afterId, capper }: ExportFilter,
  position: FeedPosition | null,
  odds: OddsForm,
): string {
  const query = new URLSearchParams();
  if (afterId !== null) query.set('after_id', String(afterId));
  if (capper !== null) query.set('capper', capper);
  if (position !== null) query.set('cursor', feedCursor(position));
  if (limit < maxItems) query.set('limit', String(limit));
  if (odds !== 'american') query.set('odds', odds);
  if (since !== null) query.set('since', iso(since));
  if (sport !== null) query.set('sport', sport);
  return query.size === 0 ? '' : `?${query}`;
}
