import type { Database } from '../../platform/database.ts';
import { closingAgeMs } from '../../rules/closing-snapshot.ts';
import { marketIn, marketNamed, markets } from '../../rules/markets/index.ts';
import { nearMs } from '../../rules/price-check.ts';
import { account } from './account.ts';
import type { Asked } from './calls.ts';
import { horizonMs, leadMs, type Need, type UnpricedPicks, type UnseenEvent } from './plan.ts';

/** Time around posting in which a price of a pick's selection is worth asking for: 6 hours. */
const askedForMs = 6 * 3_600_000;

/** Picks of one market, side, line, and book on a game that has not started. */
interface OpenPicks {
  sport: string;
  source: string;
  eventId: string;
  startsAt: number;
  market: string;
  book: string | null;
  picks: number;
  /** Whether a recent price has their line; null: not checked yet, because the start is far. */
  ownLine: boolean | null;
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
export async function readNeeds(database: Database, asked: Asked, now: number): Promise<Need[]> {
  const needs = new Map<string, Need>();
  for (const open of await readOpenPicks(database, now)) {
    const { market, source, startsAt, picks } = open;
    const declared = marketIn(open.sport, market)?.oddsApi;
    if (declared === undefined) continue;
    const { key: marketKey, featured, alternates } = declared;
    const key = source.slice(account.length + 1);
    const add = (eventId: string | null, markets: string[], worth: number) => {
      const name = [key, eventId, ...markets, startsAt].join(' ');
      const times = markets.map((each) => asked.at(key, eventId, each));
      const known = needs.get(name) ?? { key, eventId, markets, startsAt, picks: 0, askedAt: oldest(times) };
      needs.set(name, { ...known, picks: known.picks + picks * worth });
      return known.askedAt;
    };
    const askedAt = add(featured ? null : open.eventId, [marketKey], 1);
    const isPriced = askedAt !== null && startsAt - askedAt <= closingAgeMs;
    if (open.ownLine === false && alternates !== null && isPriced)
      add(open.eventId, [marketKey, alternates], open.book === null ? 1 : worthOwnLine);
  }
  return [...needs.values()];
}

function oldest(times: readonly (number | null)[]): number | null {
  return times.includes(null) ? null : Math.min(...(times as number[]));
}

async function readOpenPicks(database: Database, now: number): Promise<OpenPicks[]> {
  const { rows }: { rows: OpenPicks[] } = await database.raw(
    `select g.sport, e.source, e.event_id as "eventId", g.starts_at as "startsAt", p.market, p.book, count(*)::int as picks,
       case when g.starts_at > :near then null else exists (
         select from lines l where l.game_id = g.id and l.market = p.market and l.subject is not distinct from p.subject
           and l.side = p.side and l.line_e3 is not distinct from p.line_e3
           and (p.book is null or l.book = p.book) and not exists (
             select from lines n where n.game_id = l.game_id and n.market = l.market and n.book = l.book
               and n.captured_at > l.captured_at)) end as "ownLine"
     from games g
     join source_events e on e.game_id = g.id and starts_with(e.source, :prefix)
     join pending_picks q on q.game_id = g.id and not q.closed
     join picks p on p.id = q.pick_id
     where g.starts_at > :now and g.starts_at <= :horizon and g.status = 'scheduled'
     group by e.source, e.event_id, g.id, p.market, p.subject, p.side, p.line_e3, p.book`,
    {
      prefix: `${account}/`,
      now: new Date(now),
      near: new Date(now + leadMs),
      horizon: new Date(now + horizonMs),
    },
  );
  return rows;
}

/** A condition on a pick `p` of a game `g`: a provider's price of its selection within 15 minutes before it, or later. */
const isPricedSql = `exists (
  select from lines l where l.game_id = g.id and l.market = p.market and l.subject is not distinct from p.subject
    and l.side = p.side and l.line_e3 is not distinct from p.line_e3 and not l.by_hand
    and l.captured_at >= p.posted_at - :near * interval '1 ms')`;

/** Returns the pending live picks without a price, by sport key, for markets in the answer for a whole sport. */
export async function unpricedPicks(
  database: Database,
  asked: Asked,
  now: number,
): Promise<Map<string, UnpricedPicks>> {
  const { rows }: { rows: { source: string; pickedAt: number; markets: string[] }[] } = await database.raw(
    `select e.source, max(p.posted_at) as "pickedAt", array_agg(distinct q.market::text order by q.market::text) as markets
     from games g
     join source_events e on e.game_id = g.id and starts_with(e.source, :prefix)
     join pending_picks q on q.game_id = g.id and not q.closed and q.market = any(:markets::text[])
     join picks p on p.id = q.pick_id
     where g.starts_at > :now and g.starts_at <= :horizon and g.status = 'scheduled' and p.provenance = 'live'
       and not ${isPricedSql}
     group by e.source`,
    {
      prefix: `${account}/`,
      markets: markets.flatMap(({ name, oddsApi }) => (oddsApi?.featured ? [name] : [])),
      near: nearMs,
      now: new Date(now),
      horizon: new Date(now + horizonMs),
    } as never,
  );
  return new Map(
    rows.map(({ source, pickedAt, markets: names }) => {
      const key = source.slice(account.length + 1);
      const keys = names.map((name) => marketNamed(name)!.oddsApi.key);
      return [
        key,
        { pickedAt, markets: keys, askedAt: oldest(keys.map((each) => asked.at(key, null, each))) },
      ];
    }),
  );
}

/**
 * Returns events with live picks of the last 6 hours that no answer for a whole sport prices, because it lacks their market or line.
 * Excludes events requested since.
 */
export async function unseenEvents(database: Database, asked: Asked, now: number): Promise<UnseenEvent[]> {
  const { rows }: { rows: (Omit<UnseenEvent, 'key' | 'markets' | 'askedAt'> & UnseenPicks)[] } =
    await database.raw(
      `select sport, source, "eventId", market, priced, max(posted_at) as "pickedAt", count(*)::int as picks
       from (
         select g.sport, e.source, e.event_id as "eventId", p.market, p.posted_at, ${isPricedSql} as priced
         from games g
         join source_events e on e.game_id = g.id and starts_with(e.source, :prefix)
         join pending_picks q on q.game_id = g.id and not q.closed
         join picks p on p.id = q.pick_id
         where g.starts_at > :now and g.starts_at <= :horizon and g.status = 'scheduled'
           and p.provenance = 'live' and p.posted_at > :since) fresh
       group by sport, source, "eventId", market, priced
       order by source, "eventId", market, priced`,
      {
        prefix: `${account}/`,
        near: nearMs,
        now: new Date(now),
        since: new Date(now - askedForMs),
        horizon: new Date(now + horizonMs),
      },
    );
  return rows.flatMap(({ sport, source, eventId, market, priced, pickedAt, picks }) => {
    const declared = marketIn(sport, market)?.oddsApi;
    if (declared === undefined) return [];
    const { key: marketKey, featured, alternates } = declared;
    if (featured && (priced || alternates === null)) return [];
    const asking = featured ? [marketKey, alternates!] : [marketKey];
    const key = source.slice(account.length + 1);
    const askedAt = oldest(asking.map((each) => asked.at(key, eventId, each)));
    if (askedAt !== null && askedAt >= pickedAt) return [];
    return { key, eventId, markets: asking, askedAt, pickedAt, picks };
  });
}

/** The provider's market of some picks, and whether one of its prices has their line. */
interface UnseenPicks {
  sport: string;
  source: string;
  market: string;
  priced: boolean;
}

/** Prices at a start that picks lack and that the provider's history may have. */
export interface Missed {
  key: string;
  /** Epoch milliseconds. */
  startsAt: number;
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
