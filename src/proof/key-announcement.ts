import { instant } from './shape.ts';
import { openNote, parseNote, type Signer, signNote } from './signed-note.ts';
import { ED25519, formatVerifierKey, parseVerifierKey, type VerifierKey } from './verifier-key.ts';

/**
 * A log's announcement of a signing key, kept in the log itself as the body of a `key` entry. It is a signed
 * note:
 *
 *     <origin>/key
 *     <the new verifier key>
 *     <the instant from which it signs>
 *
 * signed by the key before it, which hands over, and by the new one, which shows that its secret is at hand.
 * The log's first key signs alone. Whoever trusts one key can so follow the log to its present one.
 */
export interface KeyAnnouncement {
  origin: string;
  key: VerifierKey;
  at: string;
}

const PURPOSE = '/key';

/**
 * @param before the key that hands over; null for the log's first
 * @throws RangeError when the new key has not the log's name or is not for plain signatures, TypeError when
 *   `at` is no instant
 */
export function announceKey(
  origin: string,
  at: string,
  signer: Signer,
  before: Signer | null,
): Promise<string> {
  instant(at, 'at');
  const { key } = signer;
  if (key.name !== origin || key.type !== ED25519)
    throw new RangeError(`the key is not one for signing ${origin}`);
  const text = `${origin}${PURPOSE}\n${formatVerifierKey(key)}\n${at}\n`;
  return signNote(text, before === null ? [signer] : [before, signer]);
}

/**
 * Verifies that an announcement is signed by the key that it announces, and by the given one before it.
 *
 * @throws Error that says why not (SyntaxError where it is malformed)
 */
export async function openKeyAnnouncement(
  note: string,
  origin: string,
  before: VerifierKey | null,
): Promise<KeyAnnouncement> {
  const announcement = readKeyAnnouncement(note, origin);
  const needed =
    before === null || sameKey(before, announcement.key) ? [announcement.key] : [before, announcement.key];
  const { verified } = await openNote(note, needed);
  const missing = needed.find((key) => !verified.some((signature) => signature.key === key));
  if (missing !== undefined) throw new Error(`key ${missing.id} has not signed the announcement`);
  return announcement;
}

/**
 * The keys of a log that follow from one that is trusted, by the log's announcements in the order of the log:
 * that key and all announced after it, each by the one before.
 *
 * @throws Error when an announcement is not signed by the key before it: whoever made it is not who was
 *   trusted
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

/** Reads an announcement without verifying anything. */
function readKeyAnnouncement(note: string, origin: string): KeyAnnouncement {
  const [purpose, key = '', at = '', end, ...rest] = parseNote(note).text.split('\n');
  if (purpose !== origin + PURPOSE || end !== '' || rest.length > 0) {
    throw new SyntaxError(`the note is not a key announcement of ${origin}`);
  }
  const announced = parseVerifierKey(key);
  if (announced.name !== origin || announced.type !== ED25519) {
    throw new SyntaxError(`the announced key is not one for signing ${origin}`);
  }
  instant(at, 'the instant of the key announcement');
  return { origin, key: announced, at };
}

function sameKey(a: VerifierKey, b: VerifierKey): boolean {
  return formatVerifierKey(a) === formatVerifierKey(b);
}
