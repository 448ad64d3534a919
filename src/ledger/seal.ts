import { hash as digest } from 'node:crypto';
import type { Database, Transaction } from '../database.ts';
import { type Bodies, bodyHash, type Kind } from '../proof/bodies.ts';
import { utf8 } from '../proof/encoding.ts';
import { entryText } from '../proof/entry.ts';
import { leafHash } from '../proof/tree.ts';
import { readBodies, type StoredEvent } from './stored-events.ts';
import { growTree } from './tree.ts';

/** Only one transaction at a time seals: whoever holds this advisory lock. */
const sealingLock = 7_263_001;

/** Events sealed in one transaction. */
const batch = 5_000;

export function sha256(bytes: Uint8Array): Uint8Array {
  return digest('sha256', bytes, 'buffer');
}

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

interface Entry {
  seq: number;
  kind: Kind;
  pick_id: number | null;
  notice_id: number | null;
  uuid: string | null;
  capper: string | null;
  capper_seq: number | null;
  capper_prev: string | null;
  hash: string;
  prev: string | null;
  leaf_hash: string;
  body: string | null;
}

async function sealBatch(transaction: Transaction): Promise<number> {
  await transaction.raw('select pg_advisory_xact_lock(?)', [sealingLock]);
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

/** How far the hash chains of cappers and picks have come. */
interface Chains {
  /** By handle: the capper's last sealed pick. */
  cappers: Map<string, { seq: number; hash: string | null }>;
  /** By pick id: the last event of the pick, and its number among its capper's. */
  picks: Map<number, { hash: string; capperSeq: number }>;
}

async function readChains(transaction: Transaction, events: readonly StoredEvent[]): Promise<Chains> {
  const handles = new Set<string>();
  const picks = new Set<number>();
  for (const event of events) {
    if (event.kind === 'posted') handles.add(event.capper);
    else if (event.kind !== 'notice') picks.add(event.pickId);
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

/** Links an event into its chains, and makes its entry and leaf (decisions, section 4). */
function entryOf(event: StoredEvent, seq: number, chains: Chains): Entry {
  if (event.kind === 'notice') {
    const { noticeId, body } = event;
    return finish({ seq, kind: 'notice', noticeId, body, canonicalBody: event.text }, null, null, null, null);
  }
  if (event.kind === 'posted') {
    const last = chains.cappers.get(event.capper) ?? { seq: 0, hash: null };
    const capperSeq = last.seq + 1;
    const body: Bodies['posted'] = { ...event.body, capper_seq: capperSeq, capper_prev: last.hash };
    const entry = finish(
      { seq, kind: 'posted', pickId: event.pickId, body },
      event.body.uuid,
      event.capper,
      capperSeq,
      null,
    );
    entry.capper_prev = last.hash;
    chains.cappers.set(event.capper, { seq: capperSeq, hash: entry.hash });
    chains.picks.set(event.pickId, { hash: entry.hash, capperSeq });
    return entry;
  }
  const before = chains.picks.get(event.pickId);
  if (before === undefined) throw new Error(`pick ${event.pickId} was ${event.kind} before it was sealed`);
  const { pickId, capper } = event;
  const prev = before.hash;
  const entry =
    event.kind === 'closed'
      ? finish(
          { seq, kind: 'closed', pickId, body: { ...event.body, prev } },
          event.body.uuid,
          capper,
          before.capperSeq,
          prev,
        )
      : finish(
          { seq, kind: 'settled', pickId, body: { ...event.body, prev } },
          event.body.uuid,
          capper,
          before.capperSeq,
          prev,
        );
  chains.picks.set(pickId, { hash: entry.hash, capperSeq: before.capperSeq });
  return entry;
}

interface Sealing<K extends Kind> {
  seq: number;
  kind: K;
  pickId?: number;
  noticeId?: number;
  body: Bodies[K];
  canonicalBody?: string;
}

function finish<K extends Kind>(
  { seq, kind, pickId, noticeId, body, canonicalBody }: Sealing<K>,
  uuid: string | null,
  capper: string | null,
  capperSeq: number | null,
  prev: string | null,
): Entry {
  const hash = bodyHash(kind, body, sha256);
  const text = entryText({ v: 1, seq, kind, uuid, capper, capper_seq: capperSeq, hash, prev });
  const leaf = Buffer.from(leafHash(utf8(text), sha256)).toString('hex');
  return {
    seq,
    kind,
    pick_id: pickId ?? null,
    notice_id: noticeId ?? null,
    uuid,
    capper,
    capper_seq: capperSeq,
    capper_prev: null,
    hash,
    prev,
    leaf_hash: leaf,
    body: canonicalBody ?? null,
  };
}

async function storeEntries(transaction: Transaction, entries: readonly Entry[]): Promise<void> {
  await transaction.raw(
    `insert into ledger_entries (seq, kind, pick_id, notice_id, uuid, capper, capper_seq, capper_prev, hash, prev, leaf_hash, body)
     select seq, kind, pick_id, notice_id, uuid, capper, capper_seq, decode(capper_prev, 'hex'), decode(hash, 'hex'),
       decode(prev, 'hex'), decode(leaf_hash, 'hex'), body
     from json_to_recordset(?) as r (seq bigint, kind text, pick_id bigint, notice_id bigint, uuid uuid, capper text,
       capper_seq int, capper_prev text, hash text, prev text, leaf_hash text, body text)`,
    [JSON.stringify(entries)],
  );
}
