import { findCappers } from '../cappers/cappers.ts';
import { addKeys, type KeyToAdd, makeInvite } from '../cappers/key-changes.ts';
import { statementOrigins } from '../cappers/origins.ts';
import { saveProfile } from '../cappers/profiles.ts';
import { findGames, gameKey } from '../games/game.ts';
import type { ImportedPickRow } from '../ledger/posting/pick-row.ts';
import { postSigned, type SignedOutcome } from '../ledger/posting/post-signed.ts';
import { iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { idOfKey, keyText, type PickIntent, signedBytes } from '../proof/capper-key.ts';
import { keyPair } from '../proof/ed25519.ts';
import { base64, hex, utf8 } from '../proof/encoding.ts';
import { sha256 } from '../proof/sha256.ts';
import { lineToE3, unitsToE4 } from '../rules/fixed-point.ts';
import { demoCappers } from './cappers.ts';

/** Time between signing and posting a pick, in milliseconds. */
const signedBefore = 2_000;

const about =
  'Made up for the demo. The private key is in the source code, so anybody can sign as this capper.';

interface DemoKey {
  id: string;
  /** In base64. */
  key: string;
  sign(message: Uint8Array): Promise<string>;
}

const signers = new Set(demoCappers.filter(({ signs }) => signs).map(({ handle }) => handle));

export function isDemoAuthor(handle: string): boolean {
  return signers.has(handle);
}

export async function addDemoKeys(transaction: Transaction, now: EpochMs): Promise<void> {
  const at = iso(now);
  const origin = await originOf(transaction);
  for (const capper of (await findCappers(transaction, [...signers])).values()) {
    const { handle } = capper;
    const [device, recovery] = await Promise.all([demoKey(handle, 'device'), demoKey(handle, 'recovery')]);
    const { token } = await makeInvite(transaction, capper.id, now);
    const added = [
      await keyToAdd(origin, handle, device, 'device', at),
      await keyToAdd(origin, handle, recovery, 'recovery', at, device),
    ];
    await addKeys(transaction, capper, added, token, now);
    const profile = { origin, capper: handle, display_name: null, link: null, about, at };
    const signature = await device.sign(signedBytes('profile/v1', profile));
    await saveProfile(transaction, capper, { profile, key: device.id, signature }, now);
  }
}

/** Signs a pick as its author would, and posts it as `POST /api/picks` does. */
export async function postAsAuthor(
  transaction: Transaction,
  row: Omit<ImportedPickRow, 'postedAt'>,
  now: EpochMs,
): Promise<SignedOutcome> {
  const key = await demoKey(row.capperHandle, 'device');
  const game = (await findGames(transaction, [row])).get(gameKey(row));
  const said = JSON.stringify([row, now]);
  const intent: PickIntent = {
    origin: await originOf(transaction),
    capper: row.capperHandle,
    sport: row.sport,
    game: row.game,
    starts_at: iso(game!.startsAt!),
    day: game!.day,
    market: row.market,
    subject: row.subject ?? null,
    side: row.side,
    line_e3: lineToE3(row.line),
    pick: row.pick,
    odds_american: row.oddsAmerican,
    stake_e4: unitsToE4(row.stakeUnits),
    book: row.book ?? null,
    nonce: hex(sha256(utf8(said))).slice(0, 32),
    at: iso(now - signedBefore),
  };
  const signature = await key.sign(signedBytes('pick-intent/v1', intent));
  return postSigned(transaction, { intent, key: key.id, signature }, now);
}

async function originOf(database: Database): Promise<string> {
  const [origin] = await statementOrigins(database);
  if (origin === undefined) throw new TypeError('the log has no origin yet');
  return origin;
}

async function keyToAdd(
  origin: string,
  capper: string,
  { key, sign }: DemoKey,
  purpose: KeyToAdd['purpose'],
  at: string,
  endorser?: DemoKey,
): Promise<KeyToAdd> {
  const message = signedBytes('key-statement/v1', { origin, capper, action: 'add', key, purpose, at });
  const endorsed = { endorsedBy: endorser?.id ?? null, endorsement: (await endorser?.sign(message)) ?? null };
  return { key, purpose, at, possession: await sign(message), ...endorsed };
}

/** Returns a capper's key. Its seed is public and constant, so every demo has the same keys. They are worthless elsewhere. */
async function demoKey(handle: string, purpose: KeyToAdd['purpose']): Promise<DemoKey> {
  const seed = `public-picks demo, not a secret: ${handle} ${purpose}`;
  const { publicKey, sign } = await keyPair(sha256(utf8(seed)));
  const key = keyText(publicKey);
  return { id: idOfKey(key), key, sign: async (message) => base64(await sign(message)) };
}
