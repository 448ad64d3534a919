import { createPrivateKey, sign } from 'node:crypto';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database.ts';
import { announceKey } from '../../proof/key-announcement.ts';
import { parseNote, type Signer, signerFromSeed } from '../../proof/signed-note.ts';
import { ED25519, formatVerifierKey, type VerifierKey } from '../../proof/verifier-key.ts';
import { announcedKeys } from '../sealing/recompute/keys.ts';
import { PublisherRefusal } from './refusals.ts';
import { remoteSigner } from './signer/remote-signer.ts';

/** What says which log this is. */
export type OriginConfig = Pick<Config['site'], 'baseUrl' | 'demo'> &
  Partial<Pick<Config['ledger'], 'origin'>>;

/**
 * The log's name: `LEDGER_ORIGIN`, or `<host of BASE_URL>/ledger` at the first start, kept from then on whatever the address
 * becomes. The demo's log has one of its own.
 * @throws PublisherRefusal when LEDGER_ORIGIN names another log than the one that is kept
 */
export async function ledgerOrigin(database: Database, config: OriginConfig): Promise<string> {
  const { baseUrl, demo } = config;
  const named = config.origin ?? `${new URL(baseUrl).host}/${demo ? 'demo-ledger' : 'ledger'}`;
  let origin = await keptOrigin(database);
  if (origin === undefined) {
    await database('ledger_origin').insert({ id: 1, origin: named }).onConflict('id').ignore();
    origin = (await keptOrigin(database)) ?? named;
  }
  if (config.origin !== undefined && config.origin !== origin)
    throw new PublisherRefusal(`LEDGER_ORIGIN is ${config.origin}, but this log is ${origin}.`);
  return origin;
}

/** The log's name as it is kept; undefined before the first start. */
export async function keptOrigin(database: Database): Promise<string | undefined> {
  const row: { origin: string } | undefined = await database('ledger_origin').first('origin');
  return row?.origin;
}

/** A key with which the log signs, or signed. */
export interface SigningKey {
  id: number;
  vkey: string;
  key: VerifierKey;
  /** The announcement by which it took over; null for the log's first key. */
  note: string | null;
  /** The announcement's place in the log; null while it is not sealed, and for the first key. */
  seq: number | null;
}

/** The log's keys, in the order in which they took over. */
export async function signingKeys(database: Database): Promise<SigningKey[]> {
  const rows: Omit<SigningKey, 'key'>[] = await database('signing_keys as k')
    .leftJoin('ledger_entries as e', 'e.key_id', 'k.id')
    .orderBy('k.id')
    .select({ id: 'k.id', vkey: 'k.vkey', note: 'k.note', seq: 'e.seq' });
  return announcedKeys(rows);
}

/** The log's keys; where there is none yet, the given one becomes the first. */
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
 * Whether a key may sign the next checkpoint: it must be announced in the log, and no newer one may have signed before.
 * @param lastNote the checkpoint signed last
 * @returns false while its announcement is not sealed yet
 * @throws PublisherRefusal
 */
export function maySign(keys: readonly SigningKey[], { key }: Signer, lastNote: string | undefined): boolean {
  const own = keys.findIndex(({ vkey }) => vkey === formatVerifierKey(key));
  if (own === -1)
    throw new PublisherRefusal(
      `The signing key is ${key.id}, which this log has not announced: use the one it had, or announce it with rotate-key.`,
    );
  const signers = lastNote === undefined ? [] : parseNote(lastNote).signatures;
  const last = keys.findLastIndex(({ key }) =>
    signers.some(({ name, id }) => name === key.name && id === key.id),
  );
  if (own < last)
    throw new PublisherRefusal(`The signing key is ${key.id}, which ${keys[last]!.key.id} has replaced.`);
  return keys[own]!.note === null || keys[own]!.seq !== null;
}

/**
 * Announces a new signing key in the log, signed by the present one; it takes over from the first checkpoint that it signs.
 * @param at ISO instant of the announcement
 * @throws PublisherRefusal when the present key is not the log's newest, or the new one is known already
 */
export async function announceSigningKey(
  database: Database,
  origin: string,
  present: Signer,
  next: Signer,
  at: string,
): Promise<void> {
  const keys = await keysWithFirst(database, present.key);
  const newest = keys.at(-1)!;
  if (newest.vkey !== formatVerifierKey(present.key))
    throw new PublisherRefusal(`The log's newest key is ${newest.key.id}, and the present one is another.`);
  const vkey = formatVerifierKey(next.key);
  if (keys.some((known) => known.vkey === vkey))
    throw new PublisherRefusal('The new key is one of the log already.');
  const note = await announceKey(origin, at, next, present);
  const [last]: { id: number }[] = await database('signing_keys').max({ id: 'id' });
  await database('signing_keys').insert({ id: last!.id + 1, vkey, note });
}

/** Where a log's signing key is. With a signer the seed is not needed, and not read. */
export interface SigningConfig {
  /** `LEDGER_KEY`: the seed in base64. */
  key?: string | undefined;
  /** `LEDGER_SIGNER`: what signs in another process. */
  signer?: string | undefined;
}

/**
 * The signer of a log: all of its signatures come from here.
 * @throws SignerError when the other process is unavailable
 */
export function openSigner(origin: string, { key, signer }: SigningConfig): Promise<Signer> {
  if (signer !== undefined) return remoteSigner(origin, signer);
  if (key === undefined) throw new TypeError('a log needs a key or a signer');
  return ledgerSigner(origin, key);
}

let kept: { origin: string; seed: string; signer: Promise<Signer> } | undefined;

/** The signer of a log that a seed in base64 makes. The last one is kept: importing a key costs more than a signature. */
export function ledgerSigner(origin: string, seed: string): Promise<Signer> {
  if (kept?.origin !== origin || kept.seed !== seed)
    kept = { origin, seed, signer: localSigner(origin, Buffer.from(seed, 'base64')) };
  return kept.signer;
}

/** Signs at once: a thread of Node's pool takes a processor twice as long, and handing over half as long. WebCrypto costs several times more. */
async function localSigner(origin: string, seed: Buffer): Promise<Signer> {
  const { key } = await signerFromSeed(origin, ED25519, seed);
  const d = seed.toString('base64url');
  const x = Buffer.from(key.publicKey).toString('base64url');
  const privateKey = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  return { key, sign: async (message) => sign(null, message, privateKey) };
}
