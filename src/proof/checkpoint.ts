import { cosignedMessage, formatCosignature } from './cosignature.ts';
import { base64, fromBase64, utf8 } from './encoding.ts';
import { openNote, parseNote, type Signer, signatureLine, signNote, type Verified } from './signed-note.ts';
import { COSIGNATURE, ED25519, type VerifierKey } from './verifier-key.ts';

/** A log's statement of what it is at one moment, by C2SP tlog-checkpoint: the text of a signed note. */
export interface Checkpoint {
  /** The log's name, and that of its key. */
  origin: string;
  /** How many entries the tree has. */
  size: number;
  /** The tree's root, 32 bytes. */
  root: Uint8Array;
}

export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${base64(root)}\n`;
}

/**
 * Reads the text of a checkpoint. Lines after the third, which other logs may have, are skipped.
 *
 * @throws SyntaxError when the text is not a checkpoint's
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...rest] = text.split('\n');
  if (rest.pop() !== '' || [origin, ...rest].includes(''))
    throw new SyntaxError('the checkpoint has not its lines');
  if (!/^(?:0|[1-9]\d*)$/.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new SyntaxError('the size in the checkpoint is not a number as it should be written');
  }
  const hash = fromBase64(root);
  if (hash.length !== 32) throw new SyntaxError('the root in the checkpoint has not 32 bytes');
  return { origin, size: Number(size), root: hash };
}

/** Makes the signed note of a checkpoint, as the log does. */
export function signCheckpoint(checkpoint: Checkpoint, signers: readonly Signer[]): Promise<string> {
  return signNote(formatCheckpoint(checkpoint), signers);
}

/**
 * Verifies a checkpoint: a key with the log's name, out of those that are trusted, must have signed it. The
 * cosignatures of trusted witnesses are verified as well, and returned.
 *
 * @param origin the log that it must be of
 * @throws SyntaxError when it is malformed, Error when it is another log's or a signature is missing or false
 */
export async function openCheckpoint(
  note: string,
  origin: string,
  keys: readonly VerifierKey[],
  witnesses: readonly VerifierKey[] = [],
): Promise<{ checkpoint: Checkpoint; signedBy: Verified[]; cosignedBy: Verified[] }> {
  const logKeys = keys.filter(({ name, type }) => name === origin && type === ED25519);
  const witnessKeys = witnesses.filter(({ type }) => type === COSIGNATURE);
  const { text, verified } = await openNote(note, [...logKeys, ...witnessKeys]);
  const signedBy = verified.filter(({ key }) => logKeys.includes(key));
  if (signedBy.length === 0) throw new Error(`no trusted key of ${origin} has signed the checkpoint`);
  const checkpoint = parseCheckpoint(text);
  if (checkpoint.origin !== origin)
    throw new Error(`the checkpoint is one of ${checkpoint.origin}, not of ${origin}`);
  return { checkpoint, signedBy, cosignedBy: verified.filter(({ timestamp }) => timestamp !== null) };
}

/**
 * A witness's signature line under a checkpoint, to be appended to it. The witness must have verified the
 * checkpoint and its consistency with the last one that it cosigned.
 *
 * @param timestamp seconds since 1970
 * @throws RangeError when the signer is not a witness
 */
export async function cosign(note: string, { key, sign }: Signer, timestamp: number): Promise<string> {
  if (key.type !== COSIGNATURE) throw new RangeError(`${key.name} is not a witness's key`);
  const { text } = parseNote(note);
  const signature = await sign(utf8(cosignedMessage(text, timestamp)));
  return signatureLine(key, formatCosignature({ timestamp, signature }));
}
