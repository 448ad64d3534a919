import { randomBytes } from 'node:crypto';
import { addKeys, type KeyToAdd, makeInvite } from '../../src/cappers/key-changes.ts';
import type { SignedPost } from '../../src/ledger/posting/post-signed.ts';
import { ledgerOrigin } from '../../src/ledger/publishing/identity.ts';
import type { Database } from '../../src/platform/database.ts';
import { idOfKey, type KeyStatement, type PickIntent, signedBytes } from '../../src/proof/capper-key.ts';
import { keyPair } from '../../src/proof/ed25519.ts';
import { base64 } from '../../src/proof/encoding.ts';

/** A capper's key pair, as a browser keeps it. */
export interface AuthorKey {
  id: string;
  /** The public key in base64. */
  key: string;
  sign(message: Uint8Array): Promise<string>;
}

/** The log that statements name unless a test says otherwise, and that {@link firstKey} begins. */
export const testOrigin = 'picks.example/ledger';

export async function newAuthorKey(): Promise<AuthorKey> {
  const { publicKey, sign } = await keyPair(randomBytes(32));
  const key = base64(publicKey);
  return { id: idOfKey(key), key, sign: async (message) => base64(await sign(message)) };
}

/** Returns a key with the signatures that add it. */
export async function keyToAdd(
  capper: string,
  key: AuthorKey,
  now: number,
  {
    purpose = 'device',
    endorser,
    origin = testOrigin,
  }: { purpose?: KeyStatement['purpose']; endorser?: AuthorKey; origin?: string } = {},
): Promise<KeyToAdd> {
  const at = new Date(now).toISOString();
  const message = signedBytes('key-statement/v1', {
    origin,
    capper,
    action: 'add',
    key: key.key,
    purpose,
    at,
  });
  return {
    key: key.key,
    purpose,
    at,
    possession: await key.sign(message),
    endorsedBy: endorser?.id ?? null,
    endorsement: (await endorser?.sign(message)) ?? null,
  };
}

/** Names the log, unless it has a name. @returns its name */
export function beginTestLog(database: Database): Promise<string> {
  return ledgerOrigin(database, { baseUrl: 'https://picks.example', demo: false });
}

/** Registers a capper's first key by an invitation. */
export async function firstKey(
  database: Database,
  capper: { id: number; handle: string },
  now: number,
): Promise<AuthorKey> {
  const key = await newAuthorKey();
  const origin = await beginTestLog(database);
  const { token } = await makeInvite(database, capper.id, now);
  await addKeys(database, capper, [await keyToAdd(capper.handle, key, now, { origin })], token, now);
  return key;
}

/** Returns a pick signed by its author. */
export async function signedPost(key: AuthorKey, intent: PickIntent): Promise<SignedPost> {
  return { intent, key: key.id, signature: await key.sign(signedBytes('pick-intent/v1', intent)) };
}

/** Returns a function that returns picks of `ada`'s to sign, on a new question and with a new nonce each time. */
export function intents(
  startsAt: string,
  usual: Partial<PickIntent> = {},
): (changes?: Partial<PickIntent>) => PickIntent {
  let made = 0;
  return (changes) => {
    made += 1;
    return {
      origin: testOrigin,
      capper: 'ada',
      sport: 'soccer',
      game: 'Hawks @ Otters',
      starts_at: startsAt,
      day: null,
      market: 'question',
      subject: `Question ${made}`,
      side: 'yes',
      line_e3: null,
      pick: 'Yes',
      odds_american: -110,
      stake_e4: 10_000,
      book: null,
      nonce: `nonce-number-${made}`.padEnd(20, '0'),
      at: new Date().toISOString(),
      ...usual,
      ...changes,
    };
  };
}
