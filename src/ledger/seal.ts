import { takeLock } from '../platform/advisory-locks.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { type Chains, entryOf, type LogEntry } from './log-entry.ts';
import { sha256 } from './sha256.ts';
import { readBodies, type StoredEvent } from './stored-events.ts';
import { growTree } from './tree.ts';

/** Events sealed in one transaction. */
const batch = 5_000;

/**
 * Gives `seq` to all stored events that have none, in the order in which they were stored, and writes their entries. The one writer of
 * the log: two at once wait for each other.
 * @param onBatch called after each transaction with the number of entries it wrote
 * @returns how many entries were written
 */
export async function sealAll(
  database: Database,
  onBatch: (entries: number) => void = () => {},
): Promise<number> {
  for (let total = 0; ; ) {
    const sealed = await database.transaction((transaction) => sealBatch(transaction));
    if (sealed > 0) onBatch(sealed);
    total += sealed;
    if (sealed < batch) return total;
  }
}

async function sealBatch(transaction: Transaction): Promise<number> {
  await takeLock(transaction, 'sealing');
  const queue: { id: number; kind: StoredEvent['kind']; subjectId: number }[] = await transaction(
    'unsealed_events',
  )
    .orderBy('id')
    .limit(batch)
    .select({ id: 'id', kind: 'kind', subjectId: 'subject_id' });
  if (queue.length === 0) return 0;
  const events = await readBodies(transaction, queue);
  const chains = await readChains(transaction, events);
  const [head]: { seq: number | null }[] = await transaction('ledger_entries').max({ seq: 'seq' });
  const size = (head?.seq ?? -1) + 1;
  let seq = size;
  const entries = events.map((event) => entryOf(event, seq++, chains));
  await storeEntries(transaction, entries);
  const leaves = entries.map(({ leaf_hash }) => Buffer.from(leaf_hash, 'hex'));
  await growTree(transaction, size, leaves, sha256);
  await transaction('unsealed_events')
    .whereRaw('id = any(?::bigint[])', [queue.map(({ id }) => id)])
    .delete();
  return entries.length;
}

async function readChains(transaction: Transaction, events: readonly StoredEvent[]): Promise<Chains> {
  const handles = new Set<string>();
  const picks = new Set<number>();
  for (const event of events) {
    if (event.kind === 'posted') handles.add(event.capper);
    else if (event.kind !== 'key' && event.kind !== 'notice') picks.add(event.pickId);
  }
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

async function storeEntries(transaction: Transaction, entries: readonly LogEntry[]): Promise<void> {
  await transaction.raw(
    `insert into ledger_entries
       (seq, kind, pick_id, key_id, notice_id, uuid, capper, capper_seq, capper_prev, hash, prev, leaf_hash, body)
     select seq, kind, pick_id, key_id, notice_id, uuid, capper, capper_seq, decode(capper_prev, 'hex'), decode(hash, 'hex'),
       decode(prev, 'hex'), decode(leaf_hash, 'hex'), body
     from json_to_recordset(?) as r (seq bigint, kind text, pick_id bigint, key_id int, notice_id bigint, uuid uuid, capper text,
       capper_seq int, capper_prev text, hash text, prev text, leaf_hash text, body text)`,
    [JSON.stringify(entries)],
  );
}
