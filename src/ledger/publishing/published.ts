import type { Knex } from 'knex';
import type { Database } from '../../platform/database.ts';
import type { CapperKeyBody, PickBody, PricesBody } from '../../proof/bodies.ts';
import { hex, utf8 } from '../../proof/encoding.ts';
import { pricePath } from '../../proof/prices.ts';
import {
  type EventProof,
  type KeyProof,
  maxKeys,
  PICK_EVENTS,
  type PickEvent,
  type PricesProof,
  type Receipt,
} from '../../proof/receipt.ts';
import { formatBundle, type Tile, tileExists } from '../../proof/tiles.ts';
import { type LogEntry, linkedBody, sha256, textOf } from '../sealing/log-entry.ts';
import { leavesOf, unpacked } from '../sealing/number-prices.ts';
import { eventOf, findBodies } from '../sealing/stored-events.ts';
import { inclusionHashes } from '../sealing/tree.ts';
import { decidingPrices } from './deciding-prices.ts';
import { storedOrigin } from './identity.ts';
import { isSigned } from './signed-checkpoints.ts';

export interface StoredCheckpoint {
  size: number;
  root: Buffer;
  /** The signed note, with witnesses' cosignatures. */
  note: string;
}

/** Undefined before the first one. Entries beyond it are not public. */
export function latestCheckpoint(database: Database): Promise<StoredCheckpoint | undefined> {
  return firstSigned(database, (after) =>
    database('checkpoints')
      .where('size', '<', after ?? Number.MAX_SAFE_INTEGER)
      .orderBy('size', 'desc'),
  );
}

/** Returns the checkpoints with sizes above `from`, up to `to`, oldest first, and the keys of the witnesses. */
export async function checkpointsOver(
  database: Database,
  from: number,
  to: number,
): Promise<{ checkpoints: string[]; witnesses: string[] }> {
  const rows: StoredCheckpoint[] = await database('checkpoints')
    .where('size', '>', from)
    .where('size', '<=', to)
    .orderBy('size')
    .select('size', 'root', 'note');
  const signed = await Promise.all(rows.map((row) => isSigned(database, row)));
  return {
    checkpoints: rows.flatMap(({ note }, at) => (signed[at] ? note : [])),
    witnesses: await database('witness_keys').orderBy('vkey').pluck('vkey'),
  };
}

function firstCheckpointOver(database: Database, seq: number): Promise<StoredCheckpoint | undefined> {
  return firstSigned(database, (after) =>
    database('checkpoints')
      .where('size', '>', after ?? seq)
      .orderBy('size'),
  );
}

/** The sealing login could insert unsigned rows. @param from returns the ordered rows after a size; without a size, all of them */
async function firstSigned(
  database: Database,
  from: (after: number | undefined) => Knex.QueryBuilder,
): Promise<StoredCheckpoint | undefined> {
  for (let after: number | undefined; ; ) {
    const row: StoredCheckpoint | undefined = await from(after).first('size', 'root', 'note');
    if (row === undefined || (await isSigned(database, row))) return row;
    after = row.size;
  }
}

const hashColumns = ['capper_prev', 'hash', 'prev', 'leaf_hash'] as const;

type StoredEntry = Omit<LogEntry, (typeof hashColumns)[number]> & {
  [K in (typeof hashColumns)[number]]: LogEntry[K] extends string ? Buffer : Buffer | null;
};

export async function readEntries(
  database: Database,
  condition: (query: Knex.QueryBuilder) => void,
): Promise<LogEntry[]> {
  const rows: StoredEntry[] = await database('ledger_entries').modify(condition).orderBy('seq').select('*');
  return rows.map((row) => ({
    ...row,
    capper_prev: row.capper_prev?.toString('hex') ?? null,
    hash: row.hash.toString('hex'),
    prev: row.prev?.toString('hex') ?? null,
    leaf_hash: row.leaf_hash.toString('hex'),
  }));
}

/** Undefined if the newest checkpoint does not cover the entry. */
export async function publishedEntry(
  database: Database,
  seq: number,
): Promise<{ entry: LogEntry; checkpoint: StoredCheckpoint } | undefined> {
  const checkpoint = await latestCheckpoint(database);
  if (checkpoint === undefined || seq >= checkpoint.size) return undefined;
  const [entry] = await readEntries(database, (query) => query.where({ seq }));
  return entry === undefined ? undefined : { entry, checkpoint };
}

/** Returns the hashed bodies of entries, in the same order. @throws Error if a body is not stored */
export async function bodiesOf(database: Database, entries: readonly LogEntry[]): Promise<object[]> {
  const events = await findBodies(database, entries.map(eventOf));
  return events.map((event, index) => {
    if (event === undefined) throw new Error(`the body of entry ${entries[index]!.seq} is not stored`);
    return linkedBody(event, entries[index]!);
  });
}

export async function proofOf(database: Database, entry: LogEntry, { size, root, note }: StoredCheckpoint) {
  const inclusion = await inclusionHashes(database, entry.seq, size);
  return {
    seq: entry.seq,
    entry: textOf(entry),
    leafHash: entry.leaf_hash,
    treeSize: size,
    rootHash: hex(root),
    checkpoint: note,
    inclusion: inclusion.map(hex),
  };
}

/**
 * Returns the receipt of a pick: each of its events, proven against the first checkpoint that covers it. Uncovered events are left out. A
 * pick without a covered event is `unhashed`.
 * @returns undefined if the pick does not exist
 */
export async function receiptOf(database: Database, uuid: string): Promise<Receipt | undefined> {
  const pick: { id: number } | undefined = await database('picks').where({ uuid }).first('id');
  if (pick === undefined) return undefined;
  const origin = await storedOrigin(database);
  const entries = await readEntries(database, (query) => query.where('pick_id', pick.id));
  const proven: { entry: LogEntry; proof: EventProof }[] = [];
  for (const entry of entries) {
    const checkpoint = await firstCheckpointOver(database, entry.seq);
    if (checkpoint === undefined) break;
    const proof = await proofOf(database, entry, checkpoint);
    proven.push({ entry, proof: { event: entry.kind as PickEvent, ...proof } });
  }
  if (proven.length === 0 || origin === undefined) return unhashed(uuid);
  const bodies = await bodiesOf(
    database,
    proven.map(({ entry }) => entry),
  );
  const [posted, closed, settled] = PICK_EVENTS.map((event) => {
    const at = proven.findIndex(({ entry }) => entry.kind === event);
    return at === -1 ? { body: null, hash: null } : { body: bodies[at]!, hash: proven[at]!.entry.hash };
  });
  const pickBody = posted!.body as PickBody;
  return {
    pickUuid: uuid,
    hashStatus: 'sealed',
    pick: pickBody,
    pick_hash: posted!.hash,
    closing: closed!.body,
    closing_hash: closed!.hash,
    settlement: settled!.body,
    settlement_hash: settled!.hash,
    clv_bps: (closed!.body as { clv_bps: number } | null)?.clv_bps ?? null,
    proof: {
      origin,
      events: proven.map(({ proof }) => proof),
      keys: await keyProofs(database, pickBody.author?.key ?? null),
      prices: await priceProofs(
        database,
        pick.id,
        proven.map(({ proof }) => proof.event),
      ),
    },
  } as Receipt;
}

/** Proves the entries that added a key and its endorsers. The first proof is that of the key without an endorser. */
async function keyProofs(database: Database, keyId: string | null): Promise<KeyProof[]> {
  const proofs: KeyProof[] = [];
  for (let next = keyId; next !== null && proofs.length < maxKeys; ) {
    const [entry] = await readEntries(database, (query) =>
      query.whereIn(
        'capper_key_id',
        database('capper_keys').where({ key_id: next, action: 'add' }).select('id'),
      ),
    );
    const checkpoint = entry === undefined ? undefined : await firstCheckpointOver(database, entry.seq);
    if (entry === undefined || checkpoint === undefined) break;
    const [body] = (await bodiesOf(database, [entry])) as [CapperKeyBody];
    proofs.unshift({ body, ...(await proofOf(database, entry, checkpoint)) });
    next = body.endorsed_by;
  }
  return proofs;
}

async function priceProofs(
  database: Database,
  pickId: number,
  events: readonly PickEvent[],
): Promise<PricesProof[]> {
  const decided = new Map<number, PricesProof['prices'][number]['decided']>();
  for (const price of await decidingPrices(database, pickId)) {
    const shown = price.decided.filter((event) => events.includes(event));
    if (shown.length > 0) decided.set(price.id, shown);
  }
  if (decided.size === 0) return [];
  const numbered: { id: number; seq: number; batchId: number }[] = await database('lines as l')
    .join('price_batches as b', (on) =>
      on.on('b.from_seq', '<=', 'l.price_seq').andOn('b.to_seq', '>=', 'l.price_seq'),
    )
    .whereRaw('l.id = any(?::bigint[])', [[...decided.keys()]])
    .orderBy('l.price_seq')
    .select({ id: 'l.id', seq: 'l.price_seq', batchId: 'b.id' });
  const proofs: PricesProof[] = [];
  for (const [batchId, prices] of Map.groupBy(numbered, ({ batchId }) => batchId)) {
    const [entry] = await readEntries(database, (query) => query.where('prices_id', batchId));
    const checkpoint = entry === undefined ? undefined : await firstCheckpointOver(database, entry.seq);
    if (entry === undefined || checkpoint === undefined) continue;
    const [body] = (await bodiesOf(database, [entry])) as [PricesBody];
    const texts = (await rowsOf(database, batchId))!;
    const leaves = leavesOf(texts);
    proofs.push({
      body,
      ...(await proofOf(database, entry, checkpoint)),
      prices: prices.map(({ id, seq }) => ({
        price: JSON.parse(texts[seq - body.from_seq]!),
        decided: decided.get(id)!,
        inclusion: pricePath(leaves, seq - body.from_seq, sha256).map(hex),
      })),
    });
  }
  return proofs;
}

/** @param batchId its `prices_id` */
async function rowsOf(database: Database, batchId: number): Promise<string[] | undefined> {
  const row: { rows: Buffer } | undefined = await database('price_batches')
    .where({ id: batchId })
    .first('rows');
  return row === undefined ? undefined : unpacked(row.rows);
}

/** One row a line. @returns undefined if the newest checkpoint does not cover an entry of prices at `seq` */
export async function publishedPrices(database: Database, seq: number): Promise<string | undefined> {
  const found = await publishedEntry(database, seq);
  if (found === undefined || found.entry.prices_id === null) return undefined;
  return `${(await rowsOf(database, found.entry.prices_id))!.join('\n')}\n`;
}

/** Returns the indexes of entries of prices from one size to another, the last ones if limited. */
export function priceEntries(
  database: Database,
  from: number,
  to: number,
  limit?: number,
): Promise<number[]> {
  return database('ledger_entries')
    .where('kind', 'prices')
    .where('seq', '>=', from)
    .where('seq', '<', to)
    .modify((query) => {
      if (limit === undefined) query.orderBy('seq');
      else query.orderBy('seq', 'desc').limit(limit);
    })
    .pluck('seq');
}

function unhashed(uuid: string): Receipt {
  return {
    pickUuid: uuid,
    hashStatus: 'unhashed',
    pick: null,
    pick_hash: null,
    closing: null,
    closing_hash: null,
    settlement: null,
    settlement_hash: null,
    clv_bps: null,
    proof: null,
  };
}

/** C2SP tlog-tiles. @returns undefined if the newest checkpoint does not cover the tile */
export async function tileBytes(database: Database, tile: Tile): Promise<Uint8Array | undefined> {
  const checkpoint = await latestCheckpoint(database);
  if (checkpoint === undefined || !tileExists(tile, checkpoint.size)) return undefined;
  return bytesOfTile(database, tile);
}

/** For a tile that a checkpoint is known to cover. */
export async function bytesOfTile(database: Database, tile: Tile): Promise<Uint8Array> {
  const first = tile.index * 256;
  const range: [number, number] = [first, first + tile.width - 1];
  if (tile.level === 'entries') {
    const entries = await readEntries(database, (query) => query.whereBetween('seq', range));
    return formatBundle(entries.map((entry) => utf8(textOf(entry))));
  }
  const hashes: Buffer[] =
    tile.level === 0
      ? await database('ledger_entries').whereBetween('seq', range).orderBy('seq').pluck('leaf_hash')
      : await database('ledger_nodes')
          .where('level', tile.level * 8)
          .whereBetween('index', range)
          .orderBy('index')
          .pluck('hash');
  return Buffer.concat(hashes);
}
