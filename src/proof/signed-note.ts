import { cosignedMessage, parseCosignature } from './cosignature.ts';
import { keyPair, type Sign, verify } from './ed25519.ts';
import { base64, concat, fromBase64, fromHex, hex, utf8 } from './encoding.ts';
import { ED25519, isKeyName, type SignatureType, type VerifierKey, verifierKey } from './verifier-key.ts';

/**
 * A text with signatures under it, by C2SP signed-note: the text, which ends in a newline, then an empty
 * line, then one line a signature.
 */
export interface Note {
  text: string;
  signatures: NoteSignature[];
}

export interface NoteSignature {
  /** The name and id of the key that is said to have signed. */
  name: string;
  id: string;
  /** 64 bytes of a plain Ed25519 signature; 72 of a cosignature. */
  signature: Uint8Array;
}

/** What is needed to sign: the public key that others verify with, and the secret behind it. */
export interface Signer {
  key: VerifierKey;
  sign: Sign;
}

/**
 * The signer that a secret seed of 32 bytes makes of a name.
 *
 * @throws RangeError when the name is not one for a key, or the seed has not 32 bytes
 */
export async function signerFromSeed(name: string, type: SignatureType, seed: Uint8Array): Promise<Signer> {
  const { publicKey, sign } = await keyPair(seed);
  return { key: verifierKey(name, type, publicKey), sign };
}

/** One signature that was verified. */
export interface Verified {
  key: VerifierKey;
  /** When a witness cosigned, in seconds since 1970; null for a plain signature, which carries no time. */
  timestamp: number | null;
}

const MOST_SIGNATURES = 100;
const LONGEST_NOTE = 1_000_000;

/** @throws SyntaxError when the note is not formed exactly as C2SP signed-note says */
export function parseNote(note: string): Note {
  if (note.length > LONGEST_NOTE) throw new SyntaxError('the note is too long');
  if (!isNoteText(note)) throw new SyntaxError('the note has characters that no note has');
  const end = note.lastIndexOf('\n\n');
  if (end === -1 || !note.endsWith('\n')) throw new SyntaxError('the note has no signatures');
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MOST_SIGNATURES) throw new SyntaxError('the note has too many signatures');
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignatureLine) };
}

function parseSignatureLine(line: string): NoteSignature {
  const [, name = '', encoded = ''] = /^— ([^ ]+) ([^ ]+)$/.exec(line) ?? [];
  if (!isKeyName(name)) throw new SyntaxError('a signature of the note is not written — <name> <base64>');
  const bytes = fromBase64(encoded);
  if (bytes.length < 5) throw new SyntaxError('a signature of the note is too short');
  return { name, id: hex(bytes.subarray(0, 4)), signature: bytes.subarray(4) };
}

/** One signature's line, newline included. Appended to a note, it signs the note's text as well. */
export function signatureLine({ name, id }: Pick<VerifierKey, 'name' | 'id'>, signature: Uint8Array): string {
  return `— ${name} ${base64(concat(fromHex(id), signature))}\n`;
}

/**
 * Signs a text with plain Ed25519 signatures, one of each signer.
 *
 * @throws RangeError when the text cannot be a note's, or a signer is a witness, who signs with a time
 */
export async function signNote(text: string, signers: readonly Signer[]): Promise<string> {
  if (!isNoteText(text) || !text.endsWith('\n'))
    throw new RangeError('a note is text that ends in a newline');
  let note = `${text}\n`;
  for (const { key, sign } of signers) {
    if (key.type !== ED25519) throw new RangeError(`${key.name} is not a key for plain signatures`);
    note += signatureLine(key, await sign(utf8(text)));
  }
  return note;
}

/**
 * Reads a note and verifies the signatures of the given keys, once each; those of other keys are left aside.
 * Verifying is done by the exact bytes of the text, so whoever gets a result has the text that was signed.
 *
 * @throws SyntaxError when the note is malformed
 * @throws Error when one of the given keys' signatures is false, or there is none of any of them
 */
export async function openNote(
  note: string,
  keys: readonly VerifierKey[],
): Promise<{ text: string; verified: Verified[] }> {
  const { text, signatures } = parseNote(note);
  const verified: Verified[] = [];
  for (const { name, id, signature } of signatures) {
    const key = keys.find((known) => known.name === name && known.id === id);
    if (key === undefined || verified.some((earlier) => earlier.key === key)) continue;
    verified.push({ key, timestamp: await verifySignature(key, text, signature) });
  }
  if (verified.length === 0) throw new Error('the note has no signature of a key that is trusted');
  return { text, verified };
}

/** The signature's time, null for one without. */
async function verifySignature(key: VerifierKey, text: string, bytes: Uint8Array): Promise<number | null> {
  const { timestamp, signature } =
    key.type === ED25519 ? { timestamp: null, signature: bytes } : parseCosignature(bytes);
  const message = timestamp === null ? text : cosignedMessage(text, timestamp);
  if (!(await verify(key.publicKey, utf8(message), signature))) {
    throw new Error(`the signature of ${key.name} (key ${key.id}) is false`);
  }
  return timestamp;
}

/** Well-formed Unicode without control characters below U+0020, newline excepted. */
function isNoteText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that the format forbids
  return text.isWellFormed() && !/[\u0000-\u0009\u000b-\u001f]/.test(text);
}
