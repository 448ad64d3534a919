import { type CapperKey, capperKeys } from '../../../cappers/keys.ts';
import { isoOrNull } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import { keyFault } from '../../../proof/author-walk.ts';
import type { PickBody } from '../../../proof/bodies.ts';
import { signatureFault } from '../../../proof/capper-key.ts';
import { Difference } from '../../difference.ts';
import { sha256 } from '../log-entry.ts';
import type { StoredEvent } from '../stored-events.ts';

/** Tolerated difference between the clocks of two machines. */
export const clocksApartMs = 60_000;

/** Returns why the signature of a pick is invalid, as a sentence; undefined if it is valid or the pick is unsigned. */
export async function authorFault(
  pick: Omit<PickBody, 'capper_seq' | 'capper_prev'>,
  capperId: number,
  keys: ReadonlyMap<string, CapperKey>,
): Promise<string | undefined> {
  const { author } = pick;
  if (author === null) return undefined;
  const key = keys.get(author.key);
  if (key === undefined || key.capperId !== capperId) return `its key is not a key of ${pick.capper}`;
  if (key.purpose !== 'device') return 'its key is a recovery key, which signs no picks';
  const postedAt = Date.parse(pick.posted_at);
  if (postedAt < key.addedAt - clocksApartMs) return `its key was added later, at ${isoOrNull(key.addedAt)}`;
  if (key.revokedAt !== null && postedAt > key.revokedAt + clocksApartMs)
    return `its key was revoked before, at ${isoOrNull(key.revokedAt)}`;
  return (await signatureFault({ ...pick, author }, key.key, sha256)) ?? undefined;
}

type KeyEvent = StoredEvent & { kind: 'capper_key' };

/** Finds invalid changes of cappers' keys: a wrong signature, an endorser of another capper or revoked before, or a wrong `first`. */
export async function capperKeyFaults(
  database: Database,
  events: readonly KeyEvent[],
): Promise<Map<KeyEvent, Difference>> {
  const faults = new Map<KeyEvent, Difference>();
  if (events.length === 0) return faults;
  const rows = await readRows(database, events);
  const endorsers = await capperKeys(
    database,
    events.map(({ body }) => body.endorsed_by),
  );
  for (const event of events) {
    const row = rows.get(event.capperKeyId);
    const endorser = endorsers.get(event.body.endorsed_by ?? '');
    const fault = row === undefined ? 'it is missing' : await faultOf(event, row, endorser);
    if (fault !== undefined)
      faults.set(event, new Difference('capper_keys', `id ${event.capperKeyId}`, null, fault));
  }
  return faults;
}

interface KeyRow {
  id: number;
  capperId: number;
  /** The id of the capper's first `add` row. */
  firstId: number | null;
  /** The owner of the added or revoked key, and the key's purpose. */
  ownerId: number | null;
  ownPurpose: string | null;
}

async function readRows(database: Database, events: readonly KeyEvent[]): Promise<Map<number, KeyRow>> {
  const { rows }: { rows: KeyRow[] } = await database.raw(
    `select k.id, k.capper_id as "capperId",
       (select min(f.id) from capper_keys f where f.capper_id = k.capper_id and f.action = 'add') as "firstId",
       o.capper_id as "ownerId", o.purpose as "ownPurpose"
     from capper_keys k
     left join capper_keys o on o.key_id = k.key_id and o.action = 'add' and o.id <= k.id
     where k.id = any(?::bigint[])`,
    [events.map(({ capperKeyId }) => capperKeyId)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function faultOf(
  { body }: KeyEvent,
  { id, capperId, firstId, ownerId, ownPurpose }: KeyRow,
  endorser: CapperKey | undefined,
): Promise<string | undefined> {
  if (body.first !== (body.action === 'add' && firstId === id)) return `first must be ${!body.first}`;
  if (ownerId !== capperId || ownPurpose !== body.purpose)
    return 'it revokes a key that its capper does not have for that purpose';
  if (body.endorsed_by !== null) {
    if (endorser === undefined || endorser.capperId !== capperId || endorser.id >= id)
      return 'its endorser was not a key of its capper';
    if (endorser.revokedId !== null && endorser.revokedId < id) return 'its endorser was revoked before';
  }
  return (await keyFault(body, endorser?.key ?? null, sha256)) ?? undefined;
}
