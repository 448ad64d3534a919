import type { Database } from '../platform/database.ts';
import { clocksApartMs, isSigned, type ProfileStatement } from '../proof/capper-key.ts';
import type { Capper } from './cappers.ts';
import { KeyRefusal } from './key-changes.ts';
import { keysOfCapper } from './keys.ts';

/** What a capper says about themselves, with their signature. */
export interface SignedProfile {
  profile: ProfileStatement;
  /** The id of the key. */
  key: string;
  /** In base64. */
  signature: string;
}

/** Profiles that are looked at: a later one may be forged, and counts for nothing. */
const maxLooked = 20;

/** The latest profile that a valid key of the capper signed. A login may store anything, so the signature is checked with each read. */
export async function profileOf(
  database: Database,
  { id, handle }: Pick<Capper, 'id' | 'handle'>,
): Promise<SignedProfile | null> {
  const keys = await validKeys(database, id);
  if (keys.size === 0) return null;
  const rows: (Omit<ProfileStatement, 'capper' | 'at'> & { key: string; signature: string; at: number })[] =
    await database('capper_profiles')
      .where({ capper_id: id })
      .whereRaw('key_id = any(?::text[])', [[...keys.keys()]])
      .orderBy('at', 'desc')
      .limit(maxLooked)
      .select('display_name', 'link', 'about', 'at', 'signature', { key: 'key_id' });
  for (const { key, signature, at, ...said } of rows) {
    const profile: ProfileStatement = { capper: handle, ...said, at: new Date(at).toISOString() };
    if (await isSigned('profile/v1', profile, keys.get(key)!, signature)) return { profile, key, signature };
  }
  return null;
}

/**
 * Stores a profile.
 * @param now epoch milliseconds
 * @throws KeyRefusal
 */
export async function saveProfile(
  database: Database,
  capper: Pick<Capper, 'id' | 'handle'>,
  { profile, key, signature }: SignedProfile,
  now: number,
): Promise<void> {
  const signer = (await validKeys(database, capper.id)).get(key);
  if (signer === undefined || profile.capper !== capper.handle)
    throw new KeyRefusal('forbidden', `The key is not a valid one of ${profile.capper}.`);
  if (Math.abs(Date.parse(profile.at) - now) > clocksApartMs)
    throw new KeyRefusal(
      'invalid',
      `The profile was signed at ${profile.at}. Check the clock of the device.`,
    );
  if (!(await isSigned('profile/v1', profile, signer, signature)))
    throw new KeyRefusal('forbidden', 'The signature is not one of this profile by this key.');
  const before = await profileOf(database, capper);
  if (before !== null && before.profile.at >= profile.at)
    throw new KeyRefusal('conflict', 'There is a later profile.');
  await database('capper_profiles')
    .insert({
      ...{ capper_id: capper.id, key_id: key, display_name: profile.display_name, link: profile.link },
      ...{ about: profile.about, at: profile.at, signature, stored_at: new Date(now) },
    })
    .onConflict(['capper_id', 'at'])
    .ignore();
}

/** Public keys of a capper's devices, by id, without revoked ones. */
async function validKeys(database: Database, capperId: number): Promise<Map<string, string>> {
  const keys = await keysOfCapper(database, capperId);
  return new Map(
    keys
      .filter(({ revokedId, purpose }) => revokedId === null && purpose === 'device')
      .map(({ keyId, key }) => [keyId, key]),
  );
}
