import type { Database } from '../database.ts';
import { hex } from '../proof/encoding.ts';
import { entryText } from '../proof/entry.ts';
import { inclusionRanges } from '../proof/inclusion.ts';
import { type EventProof, PICK_EVENTS, type PickEvent, type Receipt } from '../proof/receipt.ts';
import { proofHashes, subtrees } from '../proof/subtrees.ts';
import { sha256 } from './seal.ts';
import { readBodies } from './stored-events.ts';
import { nodeKey, readNodes } from './tree.ts';

interface EntryRow {
  seq: number;
  kind: PickEvent;
  uuid: string;
  capper: string;
  capper_seq: number;
  capper_prev: Buffer | null;
  hash: Buffer;
  prev: Buffer | null;
  leaf_hash: Buffer;
}

interface CheckpointRow {
  size: number;
  root: Buffer;
  note: string;
}

/**
 * The receipt of a pick (decisions, section 4): each of its events, proven against the first checkpoint that covered it. An event that no
 * checkpoint covers yet is not in it; a pick without one is unhashed.
 * @returns undefined when there is no such pick
 */
export async function receiptOf(database: Database, uuid: string): Promise<Receipt | undefined> {
  const pick: { id: number } | undefined = await database('picks').where({ uuid }).first('id');
  if (pick === undefined) return undefined;
  const entries: EntryRow[] = await database('ledger_entries')
    .where('pick_id', pick.id)
    .orderBy('seq')
    .select('*');
  const proven: { entry: EntryRow; proof: EventProof }[] = [];
  for (const entry of entries) {
    const checkpoint: CheckpointRow | undefined = await database('checkpoints')
      .where('size', '>', entry.seq)
      .orderBy('size')
      .first('size', 'root', 'note');
    if (checkpoint !== undefined) proven.push({ entry, proof: await prove(database, entry, checkpoint) });
  }
  const origin: { origin: string } | undefined = await database('ledger_origin').first('origin');
  const posted = proven.find(({ entry }) => entry.kind === 'posted');
  if (posted === undefined || origin === undefined) return unhashed(uuid);
  const bodies = await bodiesOf(
    database,
    pick.id,
    proven.map(({ entry }) => entry),
  );
  const hashOf = (kind: PickEvent) => {
    const found = proven.find(({ entry }) => entry.kind === kind);
    return found === undefined ? null : hex(found.entry.hash);
  };
  const closing = bodies.closed ?? null;
  return {
    pickUuid: uuid,
    hashStatus: 'sealed',
    pick: bodies.posted,
    pick_hash: hex(posted.entry.hash),
    closing,
    closing_hash: hashOf('closed'),
    settlement: bodies.settled ?? null,
    settlement_hash: hashOf('settled'),
    clv_bps: (closing as { clv_bps: number } | null)?.clv_bps ?? null,
    proof: { origin: origin.origin, events: proven.map(({ proof }) => proof) },
  } as Receipt;
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

async function prove(
  database: Database,
  entry: EntryRow,
  { size, root, note }: CheckpointRow,
): Promise<EventProof> {
  const ranges = inclusionRanges(entry.seq, size);
  const nodes = await readNodes(database, ranges.flatMap(subtrees));
  const inclusion = proofHashes(ranges, (node) => nodes.get(nodeKey(node))!, sha256);
  const { seq, kind, uuid, capper, capper_seq, hash, prev } = entry;
  return {
    event: kind,
    seq,
    entry: entryText({
      v: 1,
      seq,
      kind,
      uuid,
      capper,
      capper_seq,
      hash: hex(hash),
      prev: prev === null ? null : hex(prev),
    }),
    leafHash: hex(entry.leaf_hash),
    treeSize: size,
    rootHash: hex(root),
    checkpoint: note,
    inclusion: inclusion.map(hex),
  };
}

/** The bodies as they were hashed: what is stored, with the place in the chains that the entries keep. */
async function bodiesOf(
  database: Database,
  pickId: number,
  entries: readonly EntryRow[],
): Promise<Partial<Record<PickEvent, object>>> {
  const kinds = PICK_EVENTS.filter((kind) => entries.some((entry) => entry.kind === kind));
  const events = await readBodies(
    database,
    kinds.map((kind) => ({ kind, subjectId: pickId })),
  );
  return Object.fromEntries(
    kinds.map((kind, index) => {
      const { capper_seq, capper_prev, prev } = entries.find((entry) => entry.kind === kind)!;
      const links =
        kind === 'posted'
          ? { capper_seq, capper_prev: capper_prev === null ? null : hex(capper_prev) }
          : { prev: prev === null ? null : hex(prev) };
      return [kind, { ...events[index]!.body, ...links }];
    }),
  );
}
