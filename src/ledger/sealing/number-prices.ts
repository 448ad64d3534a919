import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { iso, isoOrNull } from '../../platform/clock.ts';
import { inCamelCase } from '../../platform/columns.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { canonical } from '../../proof/canonical.ts';
import { utf8 } from '../../proof/encoding.ts';
import { type LoggedPrice, pricesRoot } from '../../proof/prices.ts';
import { leafHash } from '../../proof/tree.ts';
import { sha256 } from './log-entry.ts';
import { type PricedEvent, type PricesEvent, pricesEvent } from './stored-events.ts';

/*
 * Prices in the log (docs/rules/ledger.md#prices). Sealing numbers stored prices densely, and puts the root over each batch of them into
 * the log. It keeps the rows of the batch, because the grading worker removes repeated prices from `lines`. Rows of one game get their
 * numbers in the order of their ids: they are stored under a lock of the game. So "the prices up to this number" are those that a closing
 * or settlement could use.
 */

/** Maximum number of prices in a batch, and of batches in a transaction. A receipt hashes the whole batch of each price that decided. */
const maxRows = 1_000;
const maxBatches = 100;

/** A stored price with its game, as {@link loggedPriceOf} needs it. */
export interface NumberedLine {
  id: number;
  priceSeq: number;
  sport: string;
  game: string;
  startsAt: EpochMs | null;
  day: string | null;
  market: string;
  subject: string | null;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  book: string;
  capturedAt: EpochMs;
  storedAt: EpochMs;
  byHand: boolean;
  closing: boolean;
}

export const numberedColumns = {
  id: 'l.id',
  priceSeq: 'l.price_seq',
  sport: 'g.sport',
  game: 'g.name',
  startsAt: 'g.announced_start',
  day: 'g.day',
  ...inCamelCase(
    'l.market l.subject l.side l.line_e3 l.odds_american l.book l.captured_at l.stored_at l.by_hand',
  ),
  ...inCamelCase('l.closing'),
} as const;

export function loggedPriceOf(line: NumberedLine): LoggedPrice {
  return {
    price_seq: line.priceSeq,
    sport: line.sport,
    game: line.game,
    starts_at: isoOrNull(line.startsAt),
    day: line.day,
    market: line.market,
    subject: line.subject,
    side: line.side,
    line_e3: line.lineE3,
    odds_american: line.oddsAmerican,
    book: line.book,
    captured_at: iso(line.capturedAt),
    stored_at: iso(line.storedAt),
    source: line.byHand ? 'hand' : 'provider',
    closing: line.closing,
  };
}

export function leavesOf(texts: readonly string[]): Uint8Array[] {
  return texts.map((text) => leafHash(utf8(text), sha256));
}

export function packed(texts: readonly string[]): Buffer {
  return deflateRawSync(texts.join('\n'));
}

/** @throws Error if the rows are not packed */
export function unpacked(rows: Buffer): string[] {
  return inflateRawSync(rows, { maxOutputLength: 1 << 28 })
    .toString('utf8')
    .split('\n');
}

export const pricesEveryMs = 60_000;

/** A SQL expression: prices are stored that no entry has, and the last entry of prices is older than `:everyMs`. */
export const pricesAreDue = `exists (select from lines where price_seq is null)
  and not exists (select from price_batches where at > clock_timestamp() - :everyMs * interval '1 ms')`;

const eventsGiven =
  'unnest(?::text[], ?::bigint[], ?::bigint[], ?::bigint[]) with ordinality u (kind, pick_id, game_id, last_id, n)';

const given = (events: readonly PricedEvent[]) => [
  events.map(({ kind }) => kind),
  ...(['pickId', 'gameId', 'lastLineId'] as const).map((name) => events.map((event) => event[name])),
];

export async function useUnnumbered(database: Database, events: readonly PricedEvent[]): Promise<boolean> {
  if (events.length === 0) return false;
  const { rows } = await database.raw(
    `select exists (select from lines l join ${eventsGiven} on l.id <= u.last_id
       and (l.game_id = u.game_id or l.id in (select line_id from priced_days)) where l.price_seq is null) as found`,
    given(events),
  );
  return rows[0].found;
}

/** Call it under the lock of sealing. @returns the batches as events, and whether prices without a number are left */
export async function numberPrices(
  transaction: Transaction,
): Promise<{ batches: PricesEvent[]; isMore: boolean }> {
  const batches: PricesEvent[] = [];
  while (batches.length < maxBatches) {
    // Locked, because the grading worker removes repeated prices of old games.
    const lines: (NumberedLine & { before: number })[] = await transaction('lines as l')
      .join('games as g', 'g.id', 'l.game_id')
      .whereNull('l.price_seq')
      .orderBy('l.id')
      .limit(maxRows)
      .forUpdate('l')
      .select(numberedColumns)
      .select({ before: transaction.raw('(select coalesce(max(to_seq), 0) from price_batches)') });
    if (lines.length > 0) batches.push(await numberBatch(transaction, lines, lines[0]!.before));
    if (lines.length < maxRows) return { batches, isMore: false };
  }
  return { batches, isMore: true };
}

/** @param before the last number given */
async function numberBatch(
  transaction: Transaction,
  lines: readonly NumberedLine[],
  before: number,
): Promise<PricesEvent> {
  const texts = lines.map((line, at) => canonical(loggedPriceOf({ ...line, priceSeq: before + at + 1 })));
  const batch = {
    from_seq: before + 1,
    to_seq: before + lines.length,
    root: Buffer.from(pricesRoot(leavesOf(texts), sha256)),
    rows: packed(texts),
  };
  const { rows }: { rows: { id: number }[] } = await transaction.raw(
    `with numbered as (
       update lines l set price_seq = :before + r.place
       from unnest(cast(:ids as bigint[])) with ordinality as r (id, place) where l.id = r.id)
     insert into price_batches (from_seq, to_seq, root, rows) values (:from_seq, :to_seq, :root, :rows) returning id`,
    { ...batch, before, ids: lines.map(({ id }) => id) },
  );
  return pricesEvent({ ...batch, id: rows[0]!.id });
}

/**
 * Returns the number of the last price that each event could use: the one before the first number that a later price has. Null: none had
 * a number.
 * @param earlier the schema of a log that this one continues: its events keep their numbers, although prices were removed since
 */
export async function pricesTo(
  database: Database,
  events: readonly PricedEvent[],
  earlier?: string,
): Promise<Map<PricedEvent, number | null>> {
  if (events.length === 0) return new Map();
  const kept =
    earlier === undefined
      ? 'ledger_entries e on false'
      : `${earlier}.ledger_entries e on e.pick_id = u.pick_id and e.kind = u.kind`;
  const { rows }: { rows: { to: number | null }[] } = await database.raw(
    // One pass over the later prices, whatever the number of events.
    `with u as (select * from ${eventsGiven}),
       later as (
         select last_id, min(price_seq) over (order by at desc, last_id nulls last rows unbounded preceding) as next
         from (select id::bigint as at, price_seq::bigint, null::bigint as last_id from lines
                 where id > (select min(last_id) from u) and price_seq is not null
               union all select distinct last_id, null::bigint, last_id from u) each)
     select case when e.seq is not null then e.prices_to
       else nullif(coalesce(l.next - 1, (select max(to_seq) from price_batches), 0), 0) end as "to"
     from u left join later l on l.last_id = u.last_id left join ${kept} order by u.n`,
    given(events),
  );
  return new Map(events.map((event, at) => [event, rows[at]!.to]));
}
