import { cosignedMessage, formatCosignature } from './cosignature.ts';
import { base64, fromBase64, utf8 } from './encoding.ts';
import { openNote, parseNote, type Signer, signatureLine, signNote, type Verified } from './signed-note.ts';
import { COSIGNATURE, ED25519, type VerifierKey } from './verifier-key.ts';

/** A log's commitment to its entries, by C2SP tlog-checkpoint: the text of a signed note. */
export interface Checkpoint {
  /** Also the name of its keys. */
  origin: string;
  size: number;
  /** Root hash of the Merkle tree over them, 32 bytes. */
  root: Uint8Array;
  /** When the log signed it, by its clock: the extension line `time <YYYY-MM-DDTHH:mm:ss.sssZ>`. */
  time?: string;
  /** Cosignatures required before publication: the extension line `quorum <n>`. Absent if none were. */
  quorum?: number;
}

export function formatCheckpoint({ origin, size, root, time, quorum }: Checkpoint): string {
  const extensions = [
    ...(time === undefined ? [] : [`time ${time}\n`]),
    ...(quorum === undefined ? [] : [`quorum ${quorum}\n`]),
  ];
  return `${origin}\n${size}\n${base64(root)}\n${extensions.join('')}`;
}

/**
 * Parses the text of a checkpoint. Ignores extension lines that this log does not write.
 *
 * @throws SyntaxError if the text is not a checkpoint
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...rest] = text.split('\n');
  if (rest.pop() !== '' || [origin, ...rest].includes(''))
    throw new SyntaxError('the checkpoint has missing or empty lines');
  if (!/^(?:0|[1-9]\d*)$/.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new SyntaxError('the size of the checkpoint is not a canonical decimal number');
  }
  const hash = fromBase64(root);
  if (hash.length !== 32) throw new SyntaxError('the root of the checkpoint is not 32 bytes long');
  const time = extension(rest, /^time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/);
  const quorum = extension(rest, /^quorum ([1-9]\d{0,2})$/);
  return {
    origin,
    size: Number(size),
    root: hash,
    ...(time !== undefined && !Number.isNaN(Date.parse(time)) && { time }),
    ...(quorum !== undefined && { quorum: Number(quorum) }),
  };
}

function extension(lines: readonly string[], form: RegExp): string | undefined {
  for (const line of lines) {
    const found = form.exec(line);
    if (found !== null) return found[1];
  }
  return undefined;
}

export function signCheckpoint(checkpoint: Checkpoint, signers: readonly Signer[]): Promise<string> {
  return signNote(formatCheckpoint(checkpoint), signers);
}

/**
 * Verifies a checkpoint: at least one trusted key with the log's name must have signed it. Verifies and returns the cosignatures of trusted
 * witnesses, but requires none.
 *
 * @param origin name of the expected log
 * @throws SyntaxError if it is malformed
 * @throws Error if it belongs to another log, no trusted key of the log has signed it, or a signature is invalid
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
    throw new Error(`the checkpoint belongs to ${checkpoint.origin}, not to ${origin}`);
  return { checkpoint, signedBy, cosignedBy: verified.filter(({ timestamp }) => timestamp !== null) };
}

/**
 * Returns a witness's signature line, to append to the checkpoint. The caller must have verified the checkpoint and its consistency with
 * the last one that this witness cosigned.
 *
 * @param timestamp Unix time in seconds
 * @throws RangeError if the key is not a witness's
 */
export async function cosign(note: string, { key, sign }: Signer, timestamp: number): Promise<string> {
  if (key.type !== COSIGNATURE) throw new RangeError(`${key.name} is not a witness's key`);
  const { text } = parseNote(note);
  const signature = await sign(utf8(cosignedMessage(text, timestamp)));
  return signatureLine(key, formatCosignature({ timestamp, signature }));
}
