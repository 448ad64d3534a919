import type { Database } from '../platform/database.ts';
import { type EventProof, PICK_EVENTS, type PickEvent, type Receipt } from '../proof/receipt.ts';
import type { LogEntry } from './log-entry.ts';
import { keptOrigin } from './origin.ts';
import { bodiesOf, firstCheckpointOver, proofOf, readEntries } from './published.ts';

/**
 * The receipt of a pick: each of its events, proven against the first checkpoint that covered it. An event that no
 * checkpoint covers yet is not in it; a pick without one is unhashed.
 * @returns undefined when there is no such pick
 */
export async function receiptOf(database: Database, uuid: string): Promise<Receipt | undefined> {
  const pick: { id: number } | undefined = await database('picks').where({ uuid }).first('id');
  if (pick === undefined) return undefined;
  const origin = await keptOrigin(database);
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
  return {
    pickUuid: uuid,
    hashStatus: 'sealed',
    pick: posted!.body,
    pick_hash: posted!.hash,
    closing: closed!.body,
    closing_hash: closed!.hash,
    settlement: settled!.body,
    settlement_hash: settled!.hash,
    clv_bps: (closed!.body as { clv_bps: number } | null)?.clv_bps ?? null,
    proof: { origin, events: proven.map(({ proof }) => proof) },
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
