import { LRUCache } from 'lru-cache';
import { takeLock } from '../../../migrations/locks.ts';
import { holdingStartOf } from '../../games/game.ts';
import { Difference } from '../../ledger/difference.ts';
import { priceFields } from '../../ledger/events.ts';
import { priceChecks } from '../../ledger/grading/price-checks.ts';
import type { CopiedPick } from '../../ledger/pick.ts';
import { copiedSources } from '../../ledger/pick-forms.ts';
import { advanceCursor } from '../../ledger/sealing/advance-cursor.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { aboutOf, type Filter, filterColumns, matching } from '../subscriptions/filters.ts';

const batch = 5_000;

const reader = 'webhooks';

/**
 * Reads the log from the fanout's cursor: stores the events to announce, raises the heads of matching filters, and moves the cursor in the
 * same transaction. Concurrent calls serialize.
 * @returns the number of entries read
 */
export async function announceEvents(database: Database, now: EpochMs): Promise<number> {
  for (let total = 0; ; ) {
    const entries = await database.transaction((transaction) => announceBatch(transaction, now));
    total += entries;
    if (entries < batch) return total;
  }
}

async function announceBatch(transaction: Transaction, now: number): Promise<number> {
  await takeLock(transaction, 'announcing');
  const { from, to } = await advanceCursor(transaction, reader, batch);
  if (to === from) return 0;
  if ((await storeEvents(transaction, from, to, now)) > 0) await raiseHeads(transaction, from, to);
  return to - from;
}

/** Stores posted and settled live picks. Imported picks are never announced. */
async function storeEvents(transaction: Transaction, from: number, to: number, now: number): Promise<number> {
  const { rowCount } = await transaction.raw(
    `insert into webhook_events (seq, pick_id, kind, capper_id, sport, market, tier, about, at)
     select e.seq, e.pick_id, e.kind, p.capper_id, g.sport, p.market, p.tier, ${aboutOf}, :now
     from ledger_entries e join picks p on p.id = e.pick_id join games g on g.id = p.game_id
     where e.seq >= :from and e.seq < :to and e.kind in ('posted', 'settled') and p.provenance = 'live'
     -- A row that exists before its entry was read did not come from the fanout.
     on conflict (seq) do update set pick_id = excluded.pick_id, kind = excluded.kind, capper_id = excluded.capper_id,
       sport = excluded.sport, market = excluded.market, tier = excluded.tier, about = excluded.about, at = excluded.at`,
    { from, to, now: new Date(now) },
  );
  return rowCount;
}

/**
 * A filter without a column matches all of its values, like a grouping set that leaves the column out. Filters by team or player, whose
 * events have several names, are compared with each event.
 */
async function raiseHeads(transaction: Transaction, from: number, to: number): Promise<void> {
  await transaction.raw(
    `update webhook_filters f set head_seq = m.seq
     from (select ${filterColumns.join(', ')}, max(seq) as seq from webhook_events where seq >= :from and seq < :to
       group by cube (${filterColumns.join(', ')})) m
     where ${filterColumns.map((column) => `coalesce(f.${column}::text, '') = coalesce(m.${column}::text, '')`).join(' and ')}
       and f.about is null and f.head_seq < m.seq`,
    { from, to },
  );
  await transaction.raw(
    `update webhook_filters f set head_seq = m.seq
     from (select f.id, max(e.seq) as seq from webhook_filters f join webhook_events e on ${matching}
       where f.about is not null and e.seq >= :from and e.seq < :to group by f.id) m
     where f.id = m.id and f.head_seq < m.seq`,
    { from, to },
  );
}

export interface LoggedEvent extends CopiedPick {
  verified: boolean;
  seq: number;
  kind: 'posted' | 'settled';
  /** Null if the event is `posted`. */
  result: string | null;
  half: boolean | null;
  settledAt: EpochMs | null;
  closingOdds: number | null;
}

export interface AnnouncedEvent extends LoggedEvent, ReturnType<typeof priceFields> {
  /** Whether the check may still change: until the pick settles. */
  provisional: boolean;
}

/** Source columns of a {@link LoggedEvent}: entry or event `e`, pick `p`, capper `c`, game `g`, settlement `s`, closing `k`. */
export const announcedColumns = {
  ...copiedSources,
  verified: 'c.verified',
  seq: 'e.seq',
  kind: 'e.kind',
  result: 's.result',
  half: 's.half',
  settledAt: 's.settled_at',
  closingOdds: 'k.odds_american',
};

export interface Wanted {
  filter: Filter;
  /** First and last `seq`, inclusive. */
  fromSeq: number;
  toSeq: number;
  limit: number;
}

/** Reads announced events in log order. Prices of pending picks are checked on reading (docs/rules/prices.md). */
export async function readEvents(
  database: Database,
  { filter, fromSeq, toSeq, limit }: Wanted,
): Promise<AnnouncedEvent[]> {
  const events = database('webhook_events')
    .where('seq', '>=', fromSeq)
    .where('seq', '<=', toSeq)
    .orderBy('seq')
    .limit(limit);
  const { capperId, sport, market, tier, kind, about } = filter;
  for (const [column, value] of Object.entries({ capper_id: capperId, sport, market, tier, kind }))
    if (value !== null) events.where(column, value);
  if (about !== null) events.whereRaw('about && ?::text[]', [[...about]]);
  const read: (AnnouncedEvent & { checkedStart: number | null })[] = await database
    .from(events.as('e'))
    .join('picks as p', 'p.id', 'e.pick_id')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .join('games as g', 'g.id', 'p.game_id')
    .leftJoin('settlements as s', (on) => on.on('s.pick_id', 'p.id').onVal('e.kind', 'settled'))
    .leftJoin('closings as k', (on) => on.on('k.pick_id', 'p.id').onVal('e.kind', 'settled'))
    .leftJoin('settlements as v', 'v.pick_id', 'p.id')
    .orderBy('e.seq')
    .select({
      ...announcedColumns,
      priceVerdict: 'v.price_verdict',
      priceOdds: 'v.price_odds',
      priceBook: 'v.price_book',
      priceCapturedAt: 'v.price_captured_at',
      priceCounted: 'v.price_counted',
      provisional: database.raw('v.pick_id is null'),
      checkedStart: database.raw(holdingStartOf),
    });
  const pending = read.flatMap((event) =>
    event.provisional ? { ...event, startsAt: event.checkedStart } : [],
  );
  const checks = (await priceChecks(database, pending)).values();
  return read.map(({ checkedStart: _, ...event }) => {
    const check = event.provisional ? checks.next().value : null;
    return check ? { ...event, ...priceFields(check) } : event;
  });
}

/**
 * Compares announced events with the log entries that the fanout has read. Also compares each filter's head with its events, and each
 * subscription's cursor with the log.
 */
export async function* auditWebhookEvents(database: Database): AsyncGenerator<Difference> {
  const { rows }: { rows: { table: string; row: string; column: string | null; sentence: string }[] } =
    await database.raw(
      `with reader as (select coalesce((select next_seq from reader_cursors where reader = 'webhooks'), 0) as next),
       wanted as (
         select e.seq, e.pick_id, e.kind::text as kind, p.capper_id, g.sport, p.market, p.tier, ${aboutOf} as about
         from ledger_entries e join picks p on p.id = e.pick_id join games g on g.id = p.game_id
         where e.seq < (select next from reader) and e.kind in ('posted', 'settled') and p.provenance = 'live'),
       differing as (
         select coalesce(w.seq, s.seq) as seq, w.seq is null as surplus, s.seq is null as missing
         from wanted w full join webhook_events s on s.seq = w.seq
         where (w.pick_id, w.kind, w.capper_id, w.sport, w.market, w.tier, w.about)
           is distinct from (s.pick_id, s.kind, s.capper_id, s.sport, s.market, s.tier, s.about)),
       heads as (
         select f.id, f.head_seq, coalesce((select max(seq) from webhook_events e where ${matching}), -1) as newest
         from webhook_filters f)
       select 'webhook_events' as table, format('seq %s', seq) as row, null as column,
         case when surplus then 'the log has no such event; delete it'
           when missing then 'it is missing, so no subscriber receives it; under the owner, insert it again, or set the cursor of webhooks back if no later event is stored'
           else 'it differs from its entry; delete it, and insert it as in the entry' end as sentence
       from differing
       union all
       select 'webhook_filters', format('id %s', id), 'head_seq', format('it is %s, and the newest event is %s; under the owner, set it', head_seq, newest)
       from heads where head_seq <> newest
       union all
       select 'webhook_subscriptions', format('id %s', s.id), 'cursor_seq',
         format('it is %s, and the log has %s entries: entries sealed next would not be sent; under the owner, set it back', s.cursor_seq, l.size)
       from webhook_subscriptions s cross join (select coalesce(max(seq) + 1, 0) as size from ledger_entries) l where s.cursor_seq > l.size
       order by 1, 2`,
    );
  for (const { table, row, column, sentence } of rows) yield new Difference(table, row, column, sentence);
}

/*
 * An optimization. Subscriptions to the same events share one read. In `npm run bench -- fanout`, where all of them do, workers and
 * PostgreSQL spend 0.7 ms of CPU per delivery, and 2.1 ms with one read each. Alternative: `readEvents`.
 */

/** Reads announced events. Only the provisional price check of an event changes; a cached page keeps the one it was read with. */
export type EventPages = ReturnType<typeof createEventPages>;

const max = 100;

export function createEventPages(database: Database) {
  const pages = new LRUCache<string, readonly AnnouncedEvent[], Wanted>({
    max,
    fetchMethod: (_key, _stale, { context }) => readEvents(database, context),
  });
  return {
    read: (wanted: Wanted) => pages.forceFetch(JSON.stringify(wanted), { context: wanted }),
  };
}
