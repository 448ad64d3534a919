import type { Database } from '../platform/database.ts';
import { clocksApartMs, isSigned, type ProfileStatement } from '../proof/capper-key.ts';
import { textFault } from '../rules/posted-words.ts';
import type { Capper } from './cappers.ts';
import { KeyRefusal } from './key-changes.ts';
import { keysOfCapper } from './keys.ts';
import { madeElsewhere, statementOrigins } from './origins.ts';

export interface SignedProfile {
  profile: ProfileStatement;
  /** The key's id. */
  key: string;
  /** In base64. */
  signature: string;
}

/** Number of latest profiles to check, because forged ones can precede the valid one. */
const maxChecked = 20;

/** The latest one that a valid key signed, checked at each read, because a database login could store any row. */
export async function profileOf(
  database: Database,
  { id, handle }: Pick<Capper, 'id' | 'handle'>,
): Promise<SignedProfile | null> {
  const keys = await validKeys(database, id);
  if (keys.size === 0) return null;
  const rows: (Omit<ProfileStatement, 'origin' | 'capper' | 'at'> & {
    key: string;
    signature: string;
    at: number;
  })[] = await database('capper_profiles')
    .where({ capper_id: id })
    .whereRaw('key_id = any(?::text[])', [[...keys.keys()]])
    .orderBy('at', 'desc')
    .limit(maxChecked)
    .select('display_name', 'link', 'about', 'at', 'signature', { key: 'key_id' });
  const origins = await statementOrigins(database);
  for (const { key, signature, at, ...fields } of rows) {
    for (const origin of origins) {
      const profile: ProfileStatement = { origin, capper: handle, ...fields, at: new Date(at).toISOString() };
      if (await isSigned('profile/v1', profile, keys.get(key)!, signature))
        return { profile, key, signature };
    }
  }
  return null;
}

/** @throws KeyRefusal */
export async function saveProfile(
  database: Database,
  capper: Pick<Capper, 'id' | 'handle'>,
  { profile, key, signature }: SignedProfile,
  now: EpochMs,
): Promise<void> {
  const signer = (await validKeys(database, capper.id)).get(key);
  if (signer === undefined || profile.capper !== capper.handle)
    throw new KeyRefusal('forbidden', `The key is not a valid key of ${profile.capper}.`);
  const fault = profileFault(profile);
  if (fault !== undefined) throw new KeyRefusal('invalid', `The profile is refused: ${fault}.`);
  const elsewhere = madeElsewhere(profile.origin, (await statementOrigins(database))[0]);
  if (elsewhere !== undefined) throw new KeyRefusal('forbidden', `The profile is refused: ${elsewhere}.`);
  if (Math.abs(Date.parse(profile.at) - now) > clocksApartMs)
    throw new KeyRefusal(
      'invalid',
      `The profile was signed at ${profile.at}, but the service's time is ${new Date(now).toISOString()}. Check the clock of the device.`,
    );
  if (!(await isSigned('profile/v1', profile, signer, signature)))
    throw new KeyRefusal('forbidden', 'The signature does not match this profile and this key.');
  const before = await profileOf(database, capper);
  if (before !== null && before.profile.at >= profile.at)
    throw new KeyRefusal('conflict', 'A later profile exists: sign this one with the current time.');
  await database('capper_profiles')
    .insert({
      capper_id: capper.id,
      key_id: key,
      display_name: profile.display_name,
      link: profile.link,
      about: profile.about,
      at: profile.at,
      signature,
      stored_at: new Date(now),
    })
    .onConflict(['capper_id', 'at'])
    .ignore();
}

/** Returns why readers should not see a profile, as a clause: its texts follow the rules for texts of picks. */
function profileFault({ display_name, about, link }: ProfileStatement): string | undefined {
  for (const [what, text] of Object.entries({ name: display_name, 'text about you': about })) {
    const fault = text === null ? undefined : textFault(text);
    if (fault !== undefined) return `the ${what} ${fault}`;
  }
  if (link === null) return undefined;
  const url = URL.parse(link);
  return url === null || url.username !== '' || url.password !== ''
    ? 'the link must be an address of a site, without a user name'
    : undefined;
}

async function validKeys(database: Database, capperId: number): Promise<Map<string, string>> {
  const keys = await keysOfCapper(database, capperId);
  return new Map(
    keys
      .filter(({ revokedId, purpose }) => revokedId === null && purpose === 'device')
      .map(({ keyId, key }) => [keyId, key]),
  );
}
