import { statementOrigins } from '../../../cappers/origins.ts';
import { iso } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import { keyFault } from '../../../proof/author-walk.ts';
import type { CapperKeyBody, PickBody } from '../../../proof/bodies.ts';
import { signatureFault } from '../../../proof/capper-key.ts';
import { Difference } from '../../difference.ts';
import { isUnsigned, postedBody } from '../../pick-forms.ts';
import { sha256 } from '../log-entry.ts';
import { findBodies, type StoredEvent } from '../stored-events.ts';
import type { FullPick } from './read-picks.ts';

/** Tolerated difference between the clocks of two machines. */
export const clocksApartMs = 60_000;

interface HeldKey {
  capperId: number;
  key: string;
  purpose: CapperKeyBody['purpose'];
  addedAt: EpochMs;
  revokedAt: EpochMs | null;
}

/** A sentence; undefined if the signature is valid or the pick is unsigned. */
async function authorFault(
  pick: Omit<PickBody, 'capper_seq' | 'capper_prev'>,
  capperId: number,
  keys: ReadonlyMap<string, HeldKey>,
  origins: readonly string[],
): Promise<string | undefined> {
  const { author } = pick;
  if (author === null) return undefined;
  const key = keys.get(author.key);
  if (key === undefined || key.capperId !== capperId) return `its key is not a key of ${pick.capper}`;
  if (key.purpose !== 'device') return 'its key is a recovery key, which signs no picks';
  const postedAt = Date.parse(pick.posted_at);
  if (postedAt < key.addedAt - clocksApartMs) return `its key was added later, at ${iso(key.addedAt)}`;
  if (key.revokedAt !== null && postedAt > key.revokedAt + clocksApartMs)
    return `its key was revoked before, at ${iso(key.revokedAt)}`;
  return (await signatureFault({ ...pick, author }, key.key, origins, sha256)) ?? undefined;
}

/** Finds picks with an invalid author's signature. @returns by pick id */
export async function authorFaults(
  database: Database,
  picks: readonly FullPick[],
): Promise<Map<number, Difference[]>> {
  const signed = picks.filter((pick) => !isUnsigned(pick));
  if (signed.length === 0) return new Map();
  const origins = await statementOrigins(database);
  const { held } = await walkKeys(database, new Set(signed.map(({ capperId }) => capperId)));
  const faults = new Map<number, Difference[]>();
  for (const { game, ...pick } of signed) {
    const body = postedBody({ ...pick, game: game.name, gameDay: game.day, sport: game.sport });
    const fault = await authorFault(body, pick.capperId, held, origins);
    if (fault !== undefined)
      faults.set(pick.id, [new Difference('picks', `pick ${pick.uuid}`, 'author_signature', fault)]);
  }
  return faults;
}

type KeyEvent = StoredEvent & { kind: 'capper_key' };

/** Finds invalid changes of cappers' keys: a wrong signature, an endorser of another capper or revoked before, or a wrong `first`. */
export async function capperKeyFaults(
  database: Database,
  events: readonly KeyEvent[],
): Promise<Map<KeyEvent, Difference>> {
  const found = new Map<KeyEvent, Difference>();
  if (events.length === 0) return found;
  const cappers: number[] = await database('capper_keys')
    .whereRaw('id = any(?::bigint[])', [events.map(({ subjectId }) => subjectId)])
    .distinct()
    .pluck('capper_id');
  const { faults } = await walkKeys(database, new Set(cappers));
  for (const event of events) {
    const fault = faults.get(event.subjectId);
    if (fault !== undefined)
      found.set(event, new Difference('capper_keys', `id ${event.subjectId}`, null, fault));
  }
  return found;
}

interface KeyRow {
  id: number;
  capperId: number;
  keyId: string;
  storedAt: number;
  firstId: number | null;
}

/**
 * In the order of storing. An invalid row endorses, revokes, and signs nothing.
 * @returns valid keys by id, and the faults of the others by the id of the row
 */
async function walkKeys(
  database: Database,
  cappers: ReadonlySet<number>,
): Promise<{ held: Map<string, HeldKey>; faults: Map<number, string> }> {
  const held = new Map<string, HeldKey>();
  const faults = new Map<number, string>();
  if (cappers.size === 0) return { held, faults };
  const origins = await statementOrigins(database);
  const rows = await readRows(database, [...cappers]);
  const events = await findBodies(
    database,
    rows.map(({ id }) => ({ kind: 'capper_key', subjectId: id })),
  );
  for (const [index, row] of rows.entries()) {
    const { body } = events[index] as KeyEvent;
    const fault = await faultOf(body, row, held, origins);
    if (fault !== undefined) {
      faults.set(row.id, fault);
      continue;
    }
    const { capperId, keyId, storedAt } = row;
    if (body.action === 'add')
      held.set(keyId, {
        capperId,
        key: body.key,
        purpose: body.purpose,
        addedAt: storedAt,
        revokedAt: null,
      });
    else held.get(keyId)!.revokedAt = storedAt;
  }
  return { held, faults };
}

async function readRows(database: Database, cappers: readonly number[]): Promise<KeyRow[]> {
  const { rows }: { rows: KeyRow[] } = await database.raw(
    `select k.id, k.capper_id as "capperId", k.key_id as "keyId", k.stored_at as "storedAt",
       (select min(f.id) from capper_keys f where f.capper_id = k.capper_id and f.action = 'add') as "firstId"
     from capper_keys k where k.capper_id = any(?::int[]) order by k.id`,
    [[...cappers]],
  );
  return rows;
}

async function faultOf(
  body: CapperKeyBody,
  { id, capperId, keyId, firstId }: KeyRow,
  held: ReadonlyMap<string, HeldKey>,
  origins: readonly string[],
): Promise<string | undefined> {
  if (body.first !== (body.action === 'add' && firstId === id)) return `first must be ${!body.first}`;
  if (body.action === 'revoke') {
    const revoked = held.get(keyId);
    if (revoked?.capperId !== capperId || revoked.purpose !== body.purpose)
      return 'it revokes a key that its capper does not have for that purpose';
  }
  const endorser = held.get(body.endorsed_by ?? '');
  if (body.endorsed_by !== null) {
    if (endorser === undefined || endorser.capperId !== capperId)
      return 'its endorser was not a key of its capper';
    if (endorser.revokedAt !== null) return 'its endorser was revoked before';
  }
  return (await keyFault(body, endorser?.key ?? null, origins, sha256)) ?? undefined;
}
