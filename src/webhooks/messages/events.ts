import { takeLock } from '../../../migrations/locks.ts';
import { holdingStartOf } from '../../games/game.ts';
import { priceFields } from '../../ledger/events.ts';
import { priceChecks } from '../../ledger/grading/price-checks.ts';
import type { CopiedPick } from '../../ledger/pick.ts';
import { copiedSources } from '../../ledger/pick-forms.ts';
import { advanceCursor } from '../../ledger/sealing/advance-cursor.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { columnsOf, type Filter, filterColumns } from '../subscriptions/filters.ts';

/** Entries read per transaction. */
const batch = 5_000;

/** Name of the reader in `reader_cursors`. */
const reader = 'webhooks';

/**
 * Reads the log from the fanout's cursor: stores the events to announce, raises the heads of matching filters, and moves the cursor in the
 * same transaction. Concurrent calls serialize.
 * @param now epoch milliseconds
 * @returns the number of entries read
 */
export async function announceEvents(database: Database, now: number): Promise<number> {
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
    `insert into webhook_events (seq, pick_id, kind, capper_id, sport, market, tier, at)
     select e.seq, e.pick_id, e.kind, p.capper_id, g.sport, p.market, p.tier, :now
     from ledger_entries e join picks p on p.id = e.pick_id join games g on g.id = p.game_id
     where e.seq >= :from and e.seq < :to and e.kind in ('posted', 'settled') and p.provenance = 'live'
     -- A row that exists before its entry was read did not come from the fanout.
     on conflict (seq) do update set pick_id = excluded.pick_id, kind = excluded.kind, capper_id = excluded.capper_id,
       sport = excluded.sport, market = excluded.market, tier = excluded.tier, at = excluded.at`,
    { from, to, now: new Date(now) },
  );
  return rowCount;
}

/** A filter without a column matches all of its values, like a grouping set that leaves the column out. */
async function raiseHeads(transaction: Transaction, from: number, to: number): Promise<void> {
  await transaction.raw(
    `update webhook_filters f set head_seq = m.seq
     from (select ${filterColumns.join(', ')}, max(seq) as seq from webhook_events where seq >= :from and seq < :to
       group by cube (${filterColumns.join(', ')})) m
     where ${filterColumns.map((column) => `coalesce(f.${column}::text, '') = coalesce(m.${column}::text, '')`).join(' and ')}
       and f.head_seq < m.seq`,
    { from, to },
  );
}

/** An event of the log: its pick as posted, and its settlement. Instants in epoch milliseconds. */
export interface LoggedEvent extends CopiedPick {
  /** Whether the capper is verified when the event is read. */
  verified: boolean;
  seq: number;
  kind: 'posted' | 'settled';
  /** Null if the event is `posted`. */
  result: string | null;
  half: boolean | null;
  settledAt: number | null;
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
  for (const [column, value] of Object.entries(columnsOf(filter)))
    if (value !== null) events.where(column, value);
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
