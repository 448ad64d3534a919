import { instant } from './shape.ts';
import { openNote, parseNote, type Signer, signNote } from './signed-note.ts';
import { ED25519, formatVerifierKey, parseVerifierKey, type VerifierKey } from './verifier-key.ts';

/**
 * The announcement of a signing key, recorded in the log as the body of a `key` entry. It is a signed note:
 *
 *     <origin>/key
 *     <the new verifier key>
 *     <the instant from which it signs>
 *
 * The previous key signs it to authorize the new one. The new key signs it to prove possession of its secret. The first key of a log is the
 * only signer of its announcement. A verifier that trusts one key can follow the announcements to the current one.
 */
export interface KeyAnnouncement {
  origin: string;
  key: VerifierKey;
  at: string;
}

const PURPOSE = '/key';

/**
 * Signs the announcement of a key.
 *
 * @param signer the new key
 * @param previous the key that authorizes it; null for the first key of the log
 * @throws RangeError if the new key does not have the log's name, or is a witness's key
 * @throws TypeError if `at` is not an instant
 */
export function announceKey(
  origin: string,
  at: string,
  signer: Signer,
  previous: Signer | null,
): Promise<string> {
  instant(at, 'at');
  const { key } = signer;
  if (key.name !== origin || key.type !== ED25519)
    throw new RangeError(`the key is not a signing key of ${origin}`);
  const text = `${origin}${PURPOSE}\n${formatVerifierKey(key)}\n${at}\n`;
  return signNote(text, previous === null ? [signer] : [previous, signer]);
}

/**
 * Verifies that an announcement is signed by the announced key and by the previous one.
 *
 * @param previous null for the first key of the log
 * @throws SyntaxError if it is malformed, Error if a signature is missing or invalid
 */
export async function openKeyAnnouncement(
  note: string,
  origin: string,
  previous: VerifierKey | null,
): Promise<KeyAnnouncement> {
  const announcement = readKeyAnnouncement(note, origin);
  const required =
    previous === null || sameKey(previous, announcement.key)
      ? [announcement.key]
      : [previous, announcement.key];
  const { verified } = await openNote(note, required);
  const missing = required.find((key) => !verified.some((signature) => signature.key === key));
  if (missing !== undefined) throw new Error(`key ${missing.id} has not signed the announcement`);
  return announcement;
}

/**
 * Follows a log's key announcements, in the order of the log, from a trusted key.
 *
 * @returns the trusted key and all keys announced after it
 * @throws Error if the previous key did not sign an announcement: do not trust its author
 */
export async function followKeys(trusted: VerifierKey, notes: readonly string[]): Promise<VerifierKey[]> {
  const origin = trusted.name;
  const own = notes.findIndex((note) => sameKey(readKeyAnnouncement(note, origin).key, trusted));
  const keys = [trusted];
  for (const note of notes.slice(own + 1)) {
    keys.push((await openKeyAnnouncement(note, origin, keys.at(-1)!)).key);
  }
  return keys;
}

function readKeyAnnouncement(note: string, origin: string): KeyAnnouncement {
  const [purpose, key = '', at = '', end, ...rest] = parseNote(note).text.split('\n');
  if (purpose !== origin + PURPOSE || end !== '' || rest.length > 0) {
    throw new SyntaxError(`the note is not a key announcement of ${origin}`);
  }
  const announced = parseVerifierKey(key);
  if (announced.name !== origin || announced.type !== ED25519) {
    throw new SyntaxError(`the announced key is not a signing key of ${origin}`);
  }
  instant(at, 'the instant of the key announcement');
  return { origin, key: announced, at };
}

function sameKey(a: VerifierKey, b: VerifierKey): boolean {
  return formatVerifierKey(a) === formatVerifierKey(b);
}
