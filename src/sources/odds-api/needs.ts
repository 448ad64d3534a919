import type { Database } from '../../platform/database.ts';
import { closingAgeMs } from '../../rules/closing-snapshot.ts';
import { marketIn, marketNamed } from '../../rules/markets/index.ts';
import { nearMs } from '../../rules/price-check.ts';
import { type Asked, account, horizonMs } from './credits.ts';
import { leadMs, type Need, type UnpricedPicks, type UnseenEvent } from './plan.ts';

/** Time around posting in which a price of a pick's selection is worth asking for: 6 hours. */
const askedForMs = 6 * 3_600_000;

/** Open picks on a game that starts within a day, of one market and book, and of the same state. */
interface OpenPicks {
  sport: string;
  /** Sport key of the provider. */
  key: string;
  eventId: string;
  startsAt: number;
  market: string;
  book: string | null;
  picks: number;
  /** Posting time of the newest one. */
  pickedAt: number;
  /** Whether a recent price has their line; null: not checked yet, because the start is far. */
  ownLine: boolean | null;
  isLive: boolean;
  /** Whether a price of their selection is still worth asking for. */
  isRecent: boolean;
  /** Whether a provider's price of their selection is from 15 minutes before them, or later. */
  isPriced: boolean;
}

export async function readOpenPicks(database: Database, now: number): Promise<OpenPicks[]> {
  const ofSelection = `from lines l where l.game_id = g.id and l.market = p.market and l.subject is not distinct from p.subject
    and l.side = p.side and l.line_e3 is not distinct from p.line_e3`;
  const { rows }: { rows: OpenPicks[] } = await database.raw(
    `select sport, key, "eventId", "startsAt", market, book, "ownLine", "isLive", "isRecent", "isPriced",
       max(posted_at) as "pickedAt", count(*)::int as picks
     from (
       select g.sport, substr(e.source, length(:prefix) + 1) as key, e.event_id as "eventId", g.starts_at as "startsAt",
         p.market::text as market, p.book, p.posted_at, p.provenance = 'live' as "isLive", p.posted_at > :since as "isRecent",
         case when g.starts_at > :near then null else exists (
           select ${ofSelection} and (p.book is null or l.book = p.book) and not exists (
             select from lines n where n.game_id = l.game_id and n.market = l.market and n.book = l.book
               and n.captured_at > l.captured_at)) end as "ownLine",
         case when p.provenance = 'live' then exists (
           select ${ofSelection} and not l.by_hand and l.captured_at >= p.posted_at - :nearMs * interval '1 ms') end as "isPriced"
       from games g
       join source_events e on e.game_id = g.id and starts_with(e.source, :prefix)
       join pending_picks q on q.game_id = g.id and not q.closed
       join picks p on p.id = q.pick_id
       where g.starts_at > :now and g.starts_at <= :horizon and g.status = 'scheduled'
     ) open group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 order by 2, 3, 5, 10, 6`,
    {
      prefix: `${account}/`,
      now: new Date(now),
      since: new Date(now - askedForMs),
      near: new Date(now + leadMs),
      nearMs,
      horizon: new Date(now + horizonMs),
    },
  );
  return rows;
}

/**
 * Value of a price at a pick's own line, relative to a first price. A pick with a book whose own line is not priced still closes at the
 * main line.
 */
const worthOwnLine = 0.5;

/**
 * Returns the prices that open picks need at the starts of the next day. A market in the answer for a whole sport is needed from there.
 * Shortly before the start, its alternates are needed too if that answer lacks a pick's own line.
 */
export function needsOf(open: readonly OpenPicks[], asked: Asked): Need[] {
  const needs = new Map<string, Need>();
  for (const { sport, key, eventId, market, startsAt, picks, ownLine, book } of open) {
    const declared = marketIn(sport, market)?.oddsApi;
    if (declared === undefined) continue;
    const { key: marketKey, featured, alternates } = declared;
    const add = (eventId: string | null, markets: string[], worth: number) => {
      const name = [key, eventId, ...markets, startsAt].join(' ');
      const known = needs.get(name) ?? {
        key,
        eventId,
        markets,
        startsAt,
        picks: 0,
        askedAt: oldest(asked, key, eventId, markets),
      };
      needs.set(name, { ...known, picks: known.picks + picks * worth });
      return known.askedAt;
    };
    const askedAt = add(featured ? null : eventId, [marketKey], 1);
    const isPriced = askedAt !== null && startsAt - askedAt <= closingAgeMs;
    if (ownLine === false && alternates !== null && isPriced)
      add(eventId, [marketKey, alternates], book === null ? 1 : worthOwnLine);
  }
  return [...needs.values()];
}

/** Returns when all of some markets were last requested; null: some never. */
function oldest(
  asked: Asked,
  key: string,
  eventId: string | null,
  markets: readonly string[],
): number | null {
  const times = markets.map((market) => asked.at(key, eventId, market));
  return times.includes(null) ? null : Math.min(...(times as number[]));
}

/** Returns the live picks without a price, by sport key, for markets in the answer for a whole sport. */
export function unpricedIn(open: readonly OpenPicks[], asked: Asked): Map<string, UnpricedPicks> {
  const unpriced = open.filter(
    ({ sport, market, isLive, isPriced }) =>
      isLive && !isPriced && marketIn(sport, market)?.oddsApi.featured === true,
  );
  return new Map(
    [...Map.groupBy(unpriced, ({ key }) => key)].map(([key, own]) => {
      const names = [...new Set(own.map(({ market }) => market))].sort();
      const markets = names.map((name) => marketNamed(name)!.oddsApi.key);
      const pickedAt = Math.max(...own.map((each) => each.pickedAt));
      return [key, { pickedAt, markets, askedAt: oldest(asked, key, null, markets) }];
    }),
  );
}

/**
 * Returns events with recent live picks that no answer for a whole sport prices, because it lacks their market or line. Excludes events
 * requested since.
 */
export function unseenIn(open: readonly OpenPicks[], asked: Asked): UnseenEvent[] {
  const recent = open.filter(({ isLive, isRecent }) => isLive && isRecent);
  const same = Map.groupBy(recent, ({ key, eventId, market, isPriced }) =>
    [key, eventId, market, isPriced].join('\n'),
  );
  return [...same.values()].flatMap((own): UnseenEvent[] => {
    const { sport, key, eventId, market, isPriced } = own[0]!;
    const declared = marketIn(sport, market)?.oddsApi;
    if (declared === undefined) return [];
    const { key: marketKey, featured, alternates } = declared;
    if (featured && (isPriced || alternates === null)) return [];
    const markets = featured ? [marketKey, alternates!] : [marketKey];
    const askedAt = oldest(asked, key, eventId, markets);
    const pickedAt = Math.max(...own.map((each) => each.pickedAt));
    if (askedAt !== null && askedAt >= pickedAt) return [];
    return [
      { key, eventId, markets, askedAt, pickedAt, picks: own.reduce((sum, { picks }) => sum + picks, 0) },
    ];
  });
}

/** Prices at a start that picks lack and that the provider's history may have. */
export interface Missed {
  key: string;
  startsAt: EpochMs;
  /** Market key of the provider. */
  market: string;
  eventIds: string[];
  picks: number;
}

/** How long after the start a closing counts as missed, and how long it is repaired, in ms. */
const missedAfterMs = 10 * 60_000;
const missedUntilMs = 3 * 86_400_000;

/**
 * Returns picks without a closing on started games without a price in time, by start and market. Only markets in the answer for a whole
 * sport count.
 */
export async function readMissed(database: Database, now: number): Promise<Missed[]> {
  const {
    rows,
  }: { rows: { source: string; startsAt: number; market: string; eventIds: string[]; picks: number }[] } =
    await database.raw(
      `select e.source, g.starts_at as "startsAt", q.market, array_agg(distinct e.event_id::text) as "eventIds", count(*)::int as picks
       from games g
       join source_events e on e.game_id = g.id and starts_with(e.source, :prefix)
       join pending_picks q on q.game_id = g.id and not q.closed
       join picks p on p.id = q.pick_id
       where g.starts_at <= :after and g.starts_at > :until and g.status = 'scheduled' and not exists (
         select from lines l where l.game_id = g.id and l.market = p.market and (p.book is null or l.book = p.book)
           and l.captured_at between g.starts_at - :age * interval '1 ms' and g.starts_at)
       group by e.source, g.starts_at, q.market`,
      {
        prefix: `${account}/`,
        age: closingAgeMs,
        after: new Date(now - missedAfterMs),
        until: new Date(now - missedUntilMs),
      },
    );
  return rows.flatMap(({ source, market, ...missed }) => {
    const declared = marketNamed(market)?.oddsApi;
    return declared?.featured === true
      ? { ...missed, key: source.slice(account.length + 1), market: declared.key }
      : [];
  });
}
