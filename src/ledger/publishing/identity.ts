import { createPrivateKey, sign } from 'node:crypto';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database.ts';
import { announceKey } from '../../proof/key-announcement.ts';
import { parseNote, type Signer, signerFromSeed } from '../../proof/signed-note.ts';
import { ED25519, formatVerifierKey, type VerifierKey } from '../../proof/verifier-key.ts';
import { announcedKeys } from '../sealing/recompute/keys.ts';
import { PublisherRefusal } from './refusals.ts';
import { remoteSigner } from './signer/remote-signer.ts';

export type OriginConfig = Pick<Config['site'], 'baseUrl' | 'demo'> &
  Partial<Pick<Config['ledger'], 'origin'>>;

/**
 * Returns the log's origin. The first start stores `LEDGER_ORIGIN`, or else `<host of BASE_URL>/ledger` (`/demo-ledger` in a demo). Later
 * changes of `BASE_URL` do not change it.
 * @throws PublisherRefusal if LEDGER_ORIGIN differs from the stored origin
 */
export async function ledgerOrigin(database: Database, config: OriginConfig): Promise<string> {
  const { baseUrl, demo } = config;
  const named = config.origin ?? `${new URL(baseUrl).host}/${demo ? 'demo-ledger' : 'ledger'}`;
  let origin = await storedOrigin(database);
  if (origin === undefined) {
    await database('ledger_origin').insert({ id: 1, origin: named }).onConflict('id').ignore();
    origin = (await storedOrigin(database)) ?? named;
  }
  if (config.origin !== undefined && config.origin !== origin)
    throw new PublisherRefusal(
      `LEDGER_ORIGIN is ${config.origin}, but this database holds the log ${origin}. Correct the setting, or begin a new log with new-origin.`,
    );
  return origin;
}

/** Undefined before the first start. */
export async function storedOrigin(database: Database): Promise<string | undefined> {
  const row: { origin: string } | undefined = await database('ledger_origin').first('origin');
  return row?.origin;
}

export interface SigningKey {
  id: number;
  vkey: string;
  key: VerifierKey;
  /** Null for the log's first key. */
  note: string | null;
  /** The announcement's `seq`; null until it is sealed, and for the first key. */
  seq: number | null;
}

/** Oldest first. */
export async function signingKeys(database: Database): Promise<SigningKey[]> {
  const rows: Omit<SigningKey, 'key'>[] = await database('signing_keys as k')
    .leftJoin('ledger_entries as e', 'e.key_id', 'k.id')
    .orderBy('k.id')
    .select({ id: 'k.id', vkey: 'k.vkey', note: 'k.note', seq: 'e.seq' });
  return announcedKeys(rows);
}

/** If the log has none, stores `first` as its first key. */
export async function keysWithFirst(database: Database, first: VerifierKey): Promise<SigningKey[]> {
  const keys = await signingKeys(database);
  if (keys.length > 0) return keys;
  await database('signing_keys')
    .insert({ id: 1, vkey: formatVerifierKey(first) })
    .onConflict()
    .ignore();
  return signingKeys(database);
}

/**
 * Reports whether a key may sign the next checkpoint. The log must have announced it, and no newer key may have signed.
 * @param lastNote the last signed checkpoint
 * @returns false until the key's announcement is sealed
 * @throws PublisherRefusal
 */
export function maySign(keys: readonly SigningKey[], { key }: Signer, lastNote: string | undefined): boolean {
  const own = keys.findIndex(({ vkey }) => vkey === formatVerifierKey(key));
  if (own === -1)
    throw new PublisherRefusal(
      `The signing key is ${key.id}, which this log has not announced: use the former key, or announce this one with rotate-key.`,
    );
  const signers = lastNote === undefined ? [] : parseNote(lastNote).signatures;
  const last = keys.findLastIndex(({ key }) =>
    signers.some(({ name, id }) => name === key.name && id === key.id),
  );
  if (own < last)
    throw new PublisherRefusal(
      `The signing key is ${key.id}, which ${keys[last]!.key.id} has replaced: configure the newer key.`,
    );
  return keys[own]!.note === null || keys[own]!.seq !== null;
}

/**
 * Announces a new signing key in the log, signed by the current key. The new key takes over with the first checkpoint it signs.
 * @param at ISO instant of the announcement
 * @throws PublisherRefusal if the current key is not the log's newest, or the new key is already known
 */
export async function announceSigningKey(
  database: Database,
  origin: string,
  current: Signer,
  next: Signer,
  at: string,
): Promise<void> {
  const keys = await keysWithFirst(database, current.key);
  const newest = keys.at(-1)!;
  if (newest.vkey !== formatVerifierKey(current.key))
    throw new PublisherRefusal(
      `The log's newest key is ${newest.key.id}, but the configured key is ${current.key.id}: configure the newest one.`,
    );
  const vkey = formatVerifierKey(next.key);
  if (keys.some((known) => known.vkey === vkey))
    throw new PublisherRefusal('The new key already belongs to this log: create another one.');
  const note = await announceKey(origin, at, next, current);
  const [last]: { id: number }[] = await database('signing_keys').max({ id: 'id' });
  await database('signing_keys').insert({ id: last!.id + 1, vkey, note });
}

/** Location of the log's signing key. If a signer is set, the seed is ignored. */
export interface SigningConfig {
  /** `LEDGER_KEY`: the seed in base64. */
  key?: string | undefined;
  /** `LEDGER_SIGNER`: a signer in another process. */
  signer?: string | undefined;
}

/** All signatures of the log come from it. @throws SignerError if a remote signer is unavailable */
export function openSigner(origin: string, { key, signer }: SigningConfig): Promise<Signer> {
  if (signer !== undefined) return remoteSigner(origin, signer);
  if (key === undefined) throw new TypeError('a log needs a key or a signer');
  return ledgerSigner(origin, key);
}

let lastSigner: { origin: string; seed: string; signer: Promise<Signer> } | undefined;

/** Returns a signer for a base64 seed. Keeps the last one, because importing a key costs more than a signature. */
export function ledgerSigner(origin: string, seed: string): Promise<Signer> {
  if (lastSigner?.origin !== origin || lastSigner.seed !== seed)
    lastSigner = { origin, seed, signer: localSigner(origin, Buffer.from(seed, 'base64')) };
  return lastSigner.signer;
}

/** Signs synchronously. A thread of Node's pool would spend more CPU on each signature, and WebCrypto several times more. */
async function localSigner(origin: string, seed: Buffer): Promise<Signer> {
  const { key } = await signerFromSeed(origin, ED25519, seed);
  const d = seed.toString('base64url');
  const x = Buffer.from(key.publicKey).toString('base64url');
  const privateKey = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  return { key, sign: async (message) => sign(null, message, privateKey) };
}
