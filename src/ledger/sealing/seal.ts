import { takeLock } from '../../../migrations/locks.ts';
import { columnsOf, columnTypes } from '../../platform/columns.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { Difference } from '../difference.ts';
import { type Chains, entryOf, type LogEntry, UnsealableEvent } from './log-entry.ts';
import { numberPrices, pricesAreDue, pricesTo, useUnnumbered } from './number-prices.ts';
import { capperKeyFaults } from './recompute/authors.ts';
import { recomputePicks } from './recompute/events.ts';
import { announcedKeys, dataIndexes } from './recompute/keys.ts';
import {
  type EventSetAside,
  picksSetAside,
  removeUnsealed,
  setAside,
  type UnsealedEvent,
} from './set-aside.ts';
import { findBodies, type StoredEvent, type SubjectColumn, subjectColumns } from './stored-events.ts';
import { growTree } from './tree.ts';

const maxBatch = 2_000;

export interface SealOptions {
  onBatch?(entries: number): void;
  onSetAside?(events: readonly EventSetAside[]): void;
  closing?: AbortSignal;
  /**
   * Age in milliseconds at which the last entry of prices is followed by one with all new prices. Default: prices are sealed only before
   * events that used them.
   */
  pricesEveryMs?: number;
  /** The schema of a log that this one continues: see {@link pricesTo}. */
  earlier?: string;
}

/**
 * Seals all unsealed events in the order in which they were stored. It is the only writer of the log. Concurrent calls serialize.
 *
 * First, each event is recomputed from the rules. An event that differs or cannot be sealed is set aside with the reason, as are later
 * events of its pick (docs/operations.md#events-that-cannot-be-sealed). The others are sealed. If the database refuses a batch because of
 * one event, the batch is halved until it contains only that event.
 * @returns the number of entries written
 */
export async function sealAll(
  database: Database,
  { onBatch = () => {}, onSetAside = () => {}, closing, ...options }: SealOptions = {},
): Promise<number> {
  let total = 0;
  let searching = false;
  for (let size = maxBatch; !closing?.aborted; ) {
    const batch = await sealBatch(database, size, options);
    if (batch === 'refused') {
      searching = true;
      size = Math.ceil(size / 2);
      continue;
    }
    const { taken, entries, aside, isMore = false } = batch;
    if (entries > 0) onBatch(entries);
    if (aside.length > 0) onSetAside(aside);
    total += entries;
    if (taken < size && !isMore) break;
    // After a refusal, the faulty event is among the next `size` events.
    searching &&= aside.length === 0 && size > 1;
    size = searching ? Math.ceil(size / 2) : maxBatch;
  }
  return total;
}

interface Batch {
  taken: number;
  entries: number;
  aside: readonly EventSetAside[];
  /** Whether prices were sealed first, and events wait for the rest of them. */
  isMore?: boolean;
}

/** @returns `refused` if the database refuses the batch because of one of its events */
async function sealBatch(database: Database, size: number, options: SealOptions): Promise<Batch | 'refused'> {
  let first: UnsealedEvent | undefined;
  try {
    return await database.transaction(async (transaction) => {
      const queue = await firstUnsealed(transaction, size);
      first = queue[0];
      return sealEvents(transaction, queue, options);
    });
  } catch (error) {
    if (first === undefined || !isFaultOfEvent(error)) throw error;
    if (size > 1) return 'refused';
    const refused = { ...first, reason: (error as Error).message };
    return database.transaction(async (transaction) => {
      const [still] = await firstUnsealed(transaction, 1);
      const aside = still?.id === refused.id ? [refused] : [];
      await setAside(transaction, aside);
      return { taken: 1, entries: 0, aside };
    });
  }
}

/** Reads the first unsealed events, under the lock that admits a single sealing transaction. */
async function firstUnsealed(transaction: Transaction, limit: number): Promise<UnsealedEvent[]> {
  await takeLock(transaction, 'sealing');
  return transaction('unsealed_events')
    .orderBy('id')
    .limit(limit)
    .select({ id: 'id', kind: 'kind', subjectId: 'subject_id' });
}

/** Reports whether prices must be sealed now: an event could use one that is not numbered, or the last ones were sealed long ago. */
async function arePricesDue(
  transaction: Transaction,
  events: readonly (StoredEvent | undefined)[],
  everyMs: number | undefined,
): Promise<boolean> {
  if (await useUnnumbered(transaction, priced(events))) return true;
  if (everyMs === undefined) return false;
  const { rows } = await transaction.raw(`select ${pricesAreDue} as due`, { everyMs });
  return rows[0].due;
}

const priced = (events: readonly (StoredEvent | undefined)[]) =>
  events.filter((event) => event?.kind === 'closed' || event?.kind === 'settled');

async function sealEvents(
  transaction: Transaction,
  unsealed: readonly UnsealedEvent[],
  { pricesEveryMs, earlier }: SealOptions,
): Promise<Batch> {
  const stored = await findBodies(transaction, unsealed);
  const { batches, isMore } = (await arePricesDue(transaction, stored, pricesEveryMs))
    ? await numberPrices(transaction)
    : { batches: [], isMore: false };
  const named = batches.map(({ kind, subjectId }): UnsealedEvent => ({ id: 0, kind, subjectId }));
  const queue = [...named, ...(isMore ? [] : unsealed)];
  if (queue.length === 0) return { taken: 0, entries: 0, aside: [] };
  const events = [...batches, ...(isMore ? [] : stored)];
  const chains = await readChains(transaction, events);
  const [head]: { seq: number | null }[] = await transaction('ledger_entries').max({ seq: 'seq' });
  const size = (head?.seq ?? -1) + 1;
  const prices = await pricesTo(transaction, priced(events), earlier);
  const waiting = await picksSetAside(transaction, events);
  const faults = await faultsOf(transaction, events);
  const entries: LogEntry[] = [];
  const aside: EventSetAside[] = [];
  for (const [index, name] of queue.entries()) {
    const event = events[index];
    try {
      if (event === undefined)
        throw new UnsealableEvent(`no ${name.kind} event of ${name.subjectId} is stored`);
      if ('pickId' in event && waiting.has(event.pickId))
        throw new UnsealableEvent(`an earlier event of pick ${event.pickId} is set aside`);
      const fault = faults.get(event);
      if (fault !== undefined) throw new UnsealableEvent(fault);
      const to = 'lastLineId' in event ? prices.get(event) : null;
      entries.push(entryOf(event, size + entries.length, chains, to));
    } catch (error) {
      if (!(error instanceof UnsealableEvent)) throw error;
      aside.push({ ...name, reason: error.message });
      if (event !== undefined && 'pickId' in event) waiting.add(event.pickId);
    }
  }
  await storeEntries(transaction, entries);
  const leaves = entries.map(({ leaf_hash }) => Buffer.from(leaf_hash, 'hex'));
  await growTree(transaction, size, leaves);
  await setAside(transaction, aside);
  const left = new Set(aside.map(({ id }) => id));
  await removeUnsealed(
    transaction,
    queue.filter(({ id }) => id > 0 && !left.has(id)),
  );
  return { taken: queue.length - batches.length, entries: entries.length, aside, isMore };
}

async function faultsOf(
  transaction: Transaction,
  events: readonly (StoredEvent | undefined)[],
): Promise<Map<StoredEvent, string>> {
  const faults = new Map<StoredEvent, string>();
  const ofPicks = events.filter((event) => event !== undefined && 'pickId' in event);
  if (ofPicks.length > 0) {
    const byPick = Map.groupBy(ofPicks, ({ pickId }) => pickId);
    for await (const picks of recomputePicks(transaction, [...byPick.keys()]))
      for (const { pick, ...found } of picks)
        for (const event of byPick.get(pick.id)!) {
          const [fault] = found[event.kind];
          if (fault !== undefined) faults.set(event, fault.message);
        }
  }
  const keys = events.filter((event) => event?.kind === 'key');
  const rows: { id: number; vkey: string; note: string | null }[] =
    keys.length === 0 ? [] : await transaction('signing_keys').orderBy('id').select('id', 'vkey', 'note');
  const known = (await announcedKeys(rows)).map(({ id }) => id);
  for (const key of keys)
    if (!known.includes(key.subjectId)) {
      const sentence = 'it is not signed by both the previous key and this one';
      faults.set(key, new Difference('signing_keys', `id ${key.subjectId}`, 'note', sentence).message);
    }
  const indexes = events.filter((event) => event?.kind === 'data');
  const listed = indexes.length === 0 ? [] : await dataIndexes(transaction);
  for (const index of indexes) {
    const fault = listed.find(({ id }) => id === index.subjectId)?.fault;
    if (fault !== undefined) faults.set(index, fault.message);
  }
  const ofCappers = events.filter((event) => event?.kind === 'capper_key');
  for (const [event, { message }] of await capperKeyFaults(transaction, ofCappers))
    faults.set(event, message);
  return faults;
}

/**
 * Reports whether an event caused the error. Its body can hold an invalid value, such as an infinite instant. Or the database refused its
 * entry because of the data, a constraint, or a contradiction to stored rows.
 */
function isFaultOfEvent(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  const {
    code = '',
    constraint,
    message = '',
  } = error as { code?: string; constraint?: string; message?: string };
  if (code === 'PP004') return /\bentry \d+: /.test(message);
  // A duplicate `seq` is not the event's fault.
  return /^(22|23)...$/.test(code) && constraint !== 'ledger_entries_pkey';
}

async function readChains(
  transaction: Transaction,
  events: readonly (StoredEvent | undefined)[],
): Promise<Chains> {
  const handles = new Set<string>();
  const picks = new Set<number>();
  for (const event of events) {
    if (event === undefined) continue;
    if (event.kind === 'posted') handles.add(event.capper);
    else if ('pickId' in event) picks.add(event.pickId);
  }
  // Most batches of prices come without any other event.
  if (handles.size + picks.size === 0) return { cappers: new Map(), picks: new Map() };
  const { rows: lasts }: { rows: { capper: string; seq: number; hash: string }[] } = await transaction.raw(
    `select h.capper, e.capper_seq as seq, encode(e.hash, 'hex') as hash
     from unnest(?::text[]) as h (capper)
     cross join lateral (select capper_seq, hash from ledger_entries
       where capper = h.capper and kind = 'posted' order by capper_seq desc limit 1) e`,
    [[...handles]],
  );
  const { rows: known }: { rows: { pickId: number; hash: string; capperSeq: number }[] } =
    await transaction.raw(
      `select distinct on (pick_id) pick_id as "pickId", encode(hash, 'hex') as hash, capper_seq as "capperSeq"
     from ledger_entries where pick_id = any(?::bigint[]) order by pick_id, seq desc`,
      [[...picks]],
    );
  return {
    cappers: new Map(lasts.map(({ capper, seq, hash }) => [capper, { seq, hash }])),
    picks: new Map(known.map(({ pickId, hash, capperSeq }) => [pickId, { hash, capperSeq }])),
  };
}

const entryTypes = {
  ...columnTypes('seq bigint, kind text'),
  ...(Object.fromEntries(subjectColumns.map((column) => [column, 'bigint'])) as Record<
    SubjectColumn,
    string
  >),
  ...columnTypes('prices_to bigint, uuid uuid, capper text, capper_seq int, capper_prev text, hash text'),
  ...columnTypes('prev text, leaf_hash text, body text'),
};

export async function storeEntries(transaction: Transaction, entries: readonly LogEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { table, bindings } = columnsOf(entryTypes, entries);
  const names = Object.keys(entryTypes);
  const inHex = ['capper_prev', 'hash', 'prev', 'leaf_hash'];
  await transaction.raw(
    `insert into ledger_entries (${names.join(', ')})
     select ${names.map((name) => (inHex.includes(name) ? `decode(${name}, 'hex')` : name)).join(', ')}
     from ${table} as r (${names.join(', ')})`,
    bindings,
  );
}
