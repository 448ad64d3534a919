import { cosignedMessage, parseCosignature } from './cosignature.ts';
import { keyPair, type Sign, verify } from './ed25519.ts';
import { base64, concat, fromBase64, fromHex, hex, utf8 } from './encoding.ts';
import { ED25519, isKeyName, type SignatureType, type VerifierKey, verifierKey } from './verifier-key.ts';

/** A signed text, by C2SP signed-note: the text with a final newline, an empty line, and one line per signature. */
export interface Note {
  text: string;
  signatures: NoteSignature[];
}

export interface NoteSignature {
  name: string;
  id: string;
  /** 64 bytes for a plain Ed25519 signature, 72 for a cosignature. */
  signature: Uint8Array;
}

export interface Signer {
  key: VerifierKey;
  sign: Sign;
}

/**
 * Derives a signer from a secret seed of 32 bytes.
 *
 * @throws RangeError if the name is not a valid key name, or the seed is not 32 bytes long
 */
export async function signerFromSeed(name: string, type: SignatureType, seed: Uint8Array): Promise<Signer> {
  const { publicKey, sign } = await keyPair(seed);
  return { key: verifierKey(name, type, publicKey), sign };
}

export interface Verified {
  key: VerifierKey;
  /** Unix time of a cosignature, in seconds; null for a plain signature, which has none. */
  timestamp: number | null;
}

const MAX_SIGNATURES = 100;
const MAX_NOTE_LENGTH = 1_000_000;

/** @throws SyntaxError if the note does not have exactly the form of C2SP signed-note, or is too large */
export function parseNote(note: string): Note {
  if (note.length > MAX_NOTE_LENGTH) throw new SyntaxError('the note is too long');
  if (!isNoteText(note)) throw new SyntaxError('the note has characters that are not allowed in notes');
  const end = note.lastIndexOf('\n\n');
  if (end === -1 || !note.endsWith('\n')) throw new SyntaxError('the note has no signatures');
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) throw new SyntaxError('the note has too many signatures');
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignatureLine) };
}

function parseSignatureLine(line: string): NoteSignature {
  const [, name = '', encoded = ''] = /^— ([^ ]+) ([^ ]+)$/.exec(line) ?? [];
  if (!isKeyName(name))
    throw new SyntaxError('a signature line of the note does not have the form — <name> <base64>');
  const bytes = fromBase64(encoded);
  if (bytes.length < 5) throw new SyntaxError('a signature of the note is too short');
  return { name, id: hex(bytes.subarray(0, 4)), signature: bytes.subarray(4) };
}

/** Returns a signature line with its newline. Appending it to a note adds the signature. */
export function signatureLine({ name, id }: Pick<VerifierKey, 'name' | 'id'>, signature: Uint8Array): string {
  return `— ${name} ${base64(concat(fromHex(id), signature))}\n`;
}

/** @throws RangeError if the text is not valid for a note, or a signer is a witness */
export async function signNote(text: string, signers: readonly Signer[]): Promise<string> {
  if (!isNoteText(text) || !text.endsWith('\n'))
    throw new RangeError('the text of a note ends in a newline and has no other control characters');
  let note = `${text}\n`;
  for (const { key, sign } of signers) {
    if (key.type !== ED25519) throw new RangeError(`${key.name} is not a key for plain signatures`);
    note += signatureLine(key, await sign(utf8(text)));
  }
  return note;
}

/**
 * Parses a note and verifies the signatures by the given keys. Ignores signatures by other keys, and repeated ones. The returned text is
 * exactly what was signed.
 *
 * @throws SyntaxError if the note is malformed
 * @throws Error if a signature by one of the keys is invalid, or none of them has signed
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
  if (verified.length === 0) throw new Error('the note is not signed by a trusted key');
  return { text, verified };
}

/** Returns the time of a cosignature, null for a plain signature. */
async function verifySignature(key: VerifierKey, text: string, bytes: Uint8Array): Promise<number | null> {
  const { timestamp, signature } =
    key.type === ED25519 ? { timestamp: null, signature: bytes } : parseCosignature(bytes);
  const message = timestamp === null ? text : cosignedMessage(text, timestamp);
  if (!(await verify(key.publicKey, utf8(message), signature))) {
    throw new Error(`the signature of ${key.name} (key ${key.id}) is invalid`);
  }
  return timestamp;
}

/** Reports whether a text is well-formed Unicode without control characters below U+0020, except newlines. */
function isNoteText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the format forbids these characters
  return text.isWellFormed() && !/[\u0000-\u0009\u000b-\u001f]/.test(text);
}
