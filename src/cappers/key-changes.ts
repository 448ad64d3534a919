import { randomBytes } from 'node:crypto';
import { takeLockOn } from '../../migrations/locks.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { keyFault } from '../proof/author-walk.ts';
import type { CapperKeyBody } from '../proof/bodies.ts';
import { clocksApartMs, idOfKey } from '../proof/capper-key.ts';
import { utf8 } from '../proof/encoding.ts';
import { sha256 } from '../proof/sha256.ts';
import type { Capper } from './cappers.ts';
import { type CapperKey, keysOfCapper } from './keys.ts';
import { madeElsewhere, statementOrigins } from './origins.ts';

export const inviteMs = 7 * 86_400_000;

/**
 * Maximum numbers of a capper's keys that are not revoked. Two places of devices are only for the recovery key and the operator's
 * invitations, so that a stolen device cannot take them all. docs/security.md#what-can-be-used-up
 */
const maxKeys = { device: 8, recovery: 2 };
const reserved = 2;

/** Maximum length of a chain of endorsements: a receipt contains all of it. */
const maxChain = 16;

export interface KeyToAdd {
  /** The log in the signed statement. Default: this one. */
  origin?: string;
  /** In base64, like the signatures. */
  key: string;
  purpose: 'device' | 'recovery';
  at: string;
  possession: string;
  endorsedBy: string | null;
  endorsement: string | null;
}

export interface Revocation {
  /** The log in the signed statements. Default: this one. */
  origin?: string;
  keyId: string;
  at: string;
  endorsedBy: string;
  endorsement: string;
  /** Keys that it added, directly or through others, to revoke with it. */
  additions?: readonly { keyId: string; endorsement: string }[];
}

/** Why a change of keys is refused. The message is for the client. */
export class KeyRefusal extends Error {
  override name = 'KeyRefusal';
  readonly kind: 'invalid' | 'forbidden' | 'conflict' | 'unknown';

  constructor(kind: KeyRefusal['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Creates an invitation for a capper to register a key. Stores only its hash. */
export async function makeInvite(database: Database, capperId: number, now: EpochMs) {
  const token = randomBytes(24).toString('base64url');
  const expiresAt = now + inviteMs;
  await database('capper_invites').insert({
    capper_id: capperId,
    token_hash: hashOf(token),
    made_at: new Date(now),
    expires_at: new Date(expiresAt),
  });
  return { token, expiresAt };
}

/**
 * Adds keys to a capper, in order. Without an invitation, one of the capper's keys must endorse each. A recovery key is endorsed by the
 * device that creates it.
 * @param token of the invitation
 * @returns the ids of the keys, in order
 * @throws KeyRefusal, without any change
 */
export function addKeys(
  database: Database,
  capper: Pick<Capper, 'id' | 'handle'>,
  added: readonly KeyToAdd[],
  token: string | undefined,
  now: EpochMs,
): Promise<string[]> {
  return database.transaction(async (transaction) => {
    await takeLockOn(transaction, 'keysOfCapper', String(capper.id));
    if (token !== undefined) await useInvite(transaction, capper.id, token, now);
    const known = await keysOfCapper(transaction, capper.id);
    const valid = known.filter(isValid);
    const validKeys = new Map(valid.map(({ keyId, key }) => [keyId, key]));
    const purposes = new Map(known.map(({ keyId, purpose }) => [keyId, purpose]));
    const chains = new Map<string | null, number>([[null, 0]]);
    for (const { keyId, endorsedBy } of known) chains.set(keyId, (chains.get(endorsedBy) ?? 0) + 1);
    const counts = { device: 0, recovery: 0 };
    for (const { purpose } of valid) counts[purpose] += 1;
    const [origin] = await statementOrigins(transaction);
    const ids: string[] = [];
    for (const [index, one] of added.entries()) {
      const body: CapperKeyBody = {
        v: 1,
        capper: capper.handle,
        action: 'add',
        key: one.key,
        purpose: one.purpose,
        at: one.at,
        first: known.length === 0 && index === 0,
        by: 'capper',
        possession: one.possession,
        endorsed_by: one.endorsedBy,
        endorsement: one.endorsement,
      };
      if (body.first && (one.purpose !== 'device' || one.endorsedBy !== null))
        throw new KeyRefusal('invalid', 'The first key must belong to a device, and has no endorsement.');
      if (one.endorsedBy === null && (token === undefined || index > 0))
        throw new KeyRefusal(
          'forbidden',
          'Without an invitation, one of the capper’s keys must endorse the new key.',
        );
      const id = await checked(body, validKeys, origin, one.origin, now);
      const byDevice = token === undefined && purposes.get(one.endorsedBy!) === 'device';
      checkPlace(one.purpose, counts, byDevice);
      const chain = chains.get(one.endorsedBy)! + 1;
      if (chain > maxChain)
        throw new KeyRefusal(
          'conflict',
          `The endorsing key is the last of ${maxChain} that endorsed each other. Add the key with the recovery key.`,
        );
      await insert(transaction, capper.id, id, body, now);
      validKeys.set(id, one.key);
      purposes.set(id, one.purpose);
      chains.set(id, chain);
      counts[one.purpose] += 1;
      ids.push(id);
    }
    return ids;
  });
}

/** @param byDevice whether only a device endorses the key @throws KeyRefusal if there is no place for another key */
function checkPlace(purpose: KeyToAdd['purpose'], counts: typeof maxKeys, byDevice: boolean): void {
  if (purpose === 'recovery' && byDevice && counts.recovery > 0)
    throw new KeyRefusal('forbidden', 'Only the recovery key or an invitation adds another recovery key.');
  const most = maxKeys[purpose] - (purpose === 'device' && byDevice ? reserved : 0);
  if (counts[purpose] < most) return;
  throw new KeyRefusal(
    'conflict',
    `A capper can have at most ${maxKeys.device} devices and ${maxKeys.recovery} recovery keys, and devices add no more than ${maxKeys.device - reserved}. Revoke one first. The recovery key or the operator can revoke a stolen device with all keys that it added.`,
  );
}

/**
 * Revokes a key of a capper, and keys that it added if they are named. One of the capper's keys signs each revocation, possibly the revoked
 * one. A device cannot revoke a recovery key.
 * @throws KeyRefusal, without any change
 */
export async function revokeKey(
  database: Database,
  capper: Pick<Capper, 'id' | 'handle'>,
  { origin: named, keyId, at, endorsedBy, endorsement, additions = [] }: Revocation,
  now: number,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { key, known } = await keyToRevoke(transaction, capper.id, keyId);
    const validKeys = new Map(known.filter(isValid).map((each) => [each.keyId, each.key]));
    const purposes = new Map(known.map((each) => [each.keyId, each.purpose]));
    const [origin] = await statementOrigins(transaction);
    const added = new Map(additionsOf(known, keyId).map((each) => [each.keyId, each]));
    for (const addition of [{ keyId, endorsement }, ...additions]) {
      const revoked = addition.keyId === keyId ? key : added.get(addition.keyId);
      if (revoked === undefined)
        throw new KeyRefusal('conflict', 'The key was not added by the revoked one, or is revoked already.');
      if (revoked.purpose === 'recovery' && purposes.get(endorsedBy) === 'device')
        throw new KeyRefusal('forbidden', 'A device cannot revoke a recovery key. The operator can.');
      const endorsed = { endorsed_by: endorsedBy, endorsement: addition.endorsement };
      const body = revocationOf(capper.handle, revoked, at, endorsed);
      await checked(body, validKeys, origin, named, now);
      await insert(transaction, capper.id, revoked.keyId, body, now);
      added.delete(revoked.keyId);
    }
  });
}

/**
 * Returns the valid devices that a key added, directly or through other devices, in the order in which they were added. A device that was
 * stolen later made the recovery key, whose additions are the owner's.
 */
function additionsOf(known: readonly CapperKey[], keyId: string): CapperKey[] {
  const from = new Set([keyId]);
  return known.filter((each) => {
    if (each.purpose !== 'device' || each.endorsedBy === null || !from.has(each.endorsedBy)) return false;
    from.add(each.keyId);
    return isValid(each);
  });
}

/**
 * As the log entries say.
 * @param withAdditions whether to revoke all keys that it added, too
 * @returns the ids of the revoked keys
 * @throws KeyRefusal
 */
export async function revokeKeyAsOperator(
  database: Database,
  capper: Pick<Capper, 'id' | 'handle'>,
  keyId: string,
  now: number,
  withAdditions = false,
): Promise<string[]> {
  return database.transaction(async (transaction) => {
    const { key, known } = await keyToRevoke(transaction, capper.id, keyId, withAdditions);
    const at = new Date(now).toISOString();
    const all = [...(isValid(key) ? [key] : []), ...(withAdditions ? additionsOf(known, keyId) : [])];
    for (const each of all)
      await insert(transaction, capper.id, each.keyId, revocationOf(capper.handle, each, at, null), now);
    return all.map((each) => each.keyId);
  });
}

function revocationOf(
  capper: string,
  { key, purpose }: CapperKey,
  at: string,
  endorsed: Pick<CapperKeyBody, 'endorsed_by' | 'endorsement'> | null,
): CapperKeyBody {
  return {
    v: 1,
    capper,
    action: 'revoke',
    key,
    purpose,
    first: false,
    at,
    by: endorsed === null ? 'operator' : 'capper',
    possession: null,
    ...(endorsed ?? { endorsed_by: null, endorsement: null }),
  };
}

async function keyToRevoke(
  transaction: Transaction,
  capperId: number,
  keyId: string,
  mayBeRevoked = false,
): Promise<{ key: CapperKey; known: CapperKey[] }> {
  await takeLockOn(transaction, 'keysOfCapper', String(capperId));
  const known = await keysOfCapper(transaction, capperId);
  const key = known.find((each) => each.keyId === keyId);
  if (key === undefined) throw new KeyRefusal('unknown', 'The capper has no such key.');
  if (!isValid(key) && !mayBeRevoked) throw new KeyRefusal('conflict', 'The key is already revoked.');
  return { key, known };
}

function isValid({ revokedId }: CapperKey): boolean {
  return revokedId === null;
}

/** Checks the log, time, and signatures of a change of keys. @returns the id of the key */
async function checked(
  body: CapperKeyBody,
  validKeys: ReadonlyMap<string, string>,
  origin: string | undefined,
  named = origin ?? '',
  now: number,
): Promise<string> {
  const elsewhere = madeElsewhere(named, origin);
  if (elsewhere !== undefined) throw new KeyRefusal('forbidden', `The key is refused: ${elsewhere}.`);
  if (Math.abs(Date.parse(body.at) - now) > clocksApartMs)
    throw new KeyRefusal(
      'invalid',
      `The statement was signed at ${body.at}, but the service's time is ${new Date(now).toISOString()}. Check the clock of the device.`,
    );
  const endorser = body.endorsed_by === null ? null : (validKeys.get(body.endorsed_by) ?? null);
  if (body.endorsed_by !== null && endorser === null)
    throw new KeyRefusal('forbidden', 'The endorsing key is not a valid key of the capper.');
  const fault = await keyFault(body, endorser, [named]);
  if (fault !== null) throw new KeyRefusal('forbidden', `The key is refused: ${fault}.`);
  return idOfKey(body.key);
}

async function insert(
  transaction: Transaction,
  capperId: number,
  keyId: string,
  body: CapperKeyBody,
  now: number,
): Promise<void> {
  const { rows }: { rows: object[] } = await transaction.raw(
    `insert into capper_keys
       (capper_id, action, key, key_id, purpose, first, at, made_by, possession, endorsed_by, endorsement, stored_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (key_id, action) do nothing returning id`,
    [
      capperId,
      body.action,
      body.key,
      keyId,
      body.purpose,
      body.first,
      body.at,
      body.by,
      body.possession,
      body.endorsed_by,
      body.endorsement,
      new Date(now),
    ],
  );
  if (rows.length === 0) throw new KeyRefusal('conflict', 'The key is already known. Make a new one.');
}

async function useInvite(
  transaction: Transaction,
  capperId: number,
  token: string,
  now: number,
): Promise<void> {
  const used = await transaction('capper_invites')
    .where({ token_hash: hashOf(token), capper_id: capperId })
    .whereNull('used_at')
    .where('expires_at', '>', new Date(now))
    .update({ used_at: new Date(now) });
  if (used === 0)
    throw new KeyRefusal(
      'forbidden',
      'The invitation is unknown, expired, or used. Ask the operator for another.',
    );
}

function hashOf(token: string): Buffer {
  return Buffer.from(sha256(utf8(token)));
}
