import { cosign, openCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { verifyConsistency } from './consistency.ts';
import { base64, equalBytes, fromBase64 } from './encoding.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import { parseNote, type Signer } from './signed-note.ts';
import { emptyFrontier, rootOf } from './tree.ts';
import { COSIGNATURE, parseVerifierKey, type VerifierKey } from './verifier-key.ts';

/** The tree of the last checkpoint of a log that a witness cosigned. */
export interface CosignedTree {
  size: number;
  root: Uint8Array;
}

export interface WitnessAnswer {
  status: 200 | 400 | 403 | 404 | 409 | 422;
  /** Status 200: the cosignature line. 409: the size of the last cosigned checkpoint. Otherwise the reason. */
  body: string;
  /** Store it durably before sending the response, so that nothing older is ever cosigned. */
  cosigned?: CosignedTree & { origin: string };
}

export interface WitnessContext {
  signer: Signer;
  logs: readonly VerifierKey[];
  /** Returns the last cosigned tree of a log. The tree must not change until `cosigned` is stored. */
  lastCosigned(origin: string): CosignedTree | undefined;
}

/**
 * Handles a request to cosign a checkpoint, which the log must have signed, and which must be consistent with the last cosigned one. Calls
 * for the same log must not overlap.
 *
 * @param body of `POST <prefix>/add-checkpoint`
 * @param timestamp Unix time in seconds
 */
export async function answerAddCheckpoint(
  body: string,
  { signer, logs, lastCosigned }: WitnessContext,
  timestamp: number,
  sha256: Sha256 = defaultSha256,
): Promise<WitnessAnswer> {
  let request: AddCheckpoint;
  let origin: string;
  try {
    request = parseAddCheckpoint(body);
    ({ origin } = parseCheckpoint(parseNote(request.checkpoint).text));
  } catch (error) {
    return { status: 400, body: `${(error as Error).message}\n` };
  }
  const keys = logs.filter(({ name }) => name === origin);
  if (keys.length === 0) return { status: 404, body: 'this witness does not know the log\n' };
  let size: number;
  let root: Uint8Array;
  try {
    ({ size, root } = (await openCheckpoint(request.checkpoint, origin, keys)).checkpoint);
  } catch (error) {
    return { status: 403, body: `${(error as Error).message}\n` };
  }

  const { oldSize, consistency } = request;
  const last = lastCosigned(origin) ?? { size: 0, root: rootOf(emptyFrontier(), sha256) };
  if (oldSize > size) return { status: 400, body: 'the old size exceeds the size of the checkpoint\n' };
  if (oldSize !== last.size || (size === last.size && !equalBytes(root, last.root)))
    return { status: 409, body: `${last.size}\n` };
  const consistent =
    oldSize === 0 || oldSize === size
      ? consistency.length === 0
      : verifyConsistency(last.root, root, { from: oldSize, to: size, hashes: consistency }, sha256);
  if (!consistent)
    return {
      status: 422,
      body: 'the checkpoint is not consistent with the last one that this witness cosigned\n',
    };
  return {
    status: 200,
    body: await cosign(request.checkpoint, signer, timestamp),
    cosigned: { origin, size, root },
  };
}

export interface Witness {
  key: VerifierKey;
  /** Submission prefix; requests go to `<prefix>/add-checkpoint` (C2SP tlog-witness). */
  url: string;
}

/**
 * Parses a comma-separated list of `<verifier key> <address>`; may be empty.
 *
 * @throws SyntaxError naming the invalid witness
 */
export function parseWitnessList(text: string): Witness[] {
  if (text.trim() === '') return [];
  const witnesses = text.split(',').map(parseWitness);
  if (new Set(witnesses.map(({ key }) => key.name)).size < witnesses.length)
    throw new SyntaxError('names a witness twice');
  return witnesses;
}

function parseWitness(text: string): Witness {
  const [vkey = '', url = '', ...rest] = text.trim().split(/\s+/);
  if (rest.length > 0 || !/^https?:\/\/[^\s?#]+$/.test(url))
    throw new SyntaxError(`must be written <verifier key> <address>, not ${JSON.stringify(text.trim())}`);
  const key = parseVerifierKey(vkey);
  if (key.type !== COSIGNATURE) throw new SyntaxError(`names ${key.name}, which is not a witness's key`);
  return { key, url: url.replace(/\/+$/, '') };
}

/**
 * A log's request for a cosignature, by C2SP tlog-witness (`POST <prefix>/add-checkpoint`): its latest
 * checkpoint, and a proof of consistency with the one that the witness cosigned last.
 */
interface AddCheckpoint {
  /** Size of the last checkpoint that the witness cosigned; 0 if none, with an empty proof. */
  oldSize: number;
  consistency: readonly Uint8Array[];
  checkpoint: string;
}

const MAX_PROOF_LENGTH = 63;

export function formatAddCheckpoint({ oldSize, consistency, checkpoint }: AddCheckpoint): string {
  return [`old ${oldSize}`, ...consistency.map(base64), '', checkpoint].join('\n');
}

/** Parses the body of a request. Verifies nothing. @throws SyntaxError if it is malformed */
export function parseAddCheckpoint(body: string): AddCheckpoint {
  const end = body.indexOf('\n\n');
  const [old = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n');
  const [, digits = ''] = /^old (0|[1-9]\d*)$/.exec(old) ?? [];
  if (digits === '' || !Number.isSafeInteger(Number(digits)))
    throw new SyntaxError('the old size is missing');
  if (lines.length > MAX_PROOF_LENGTH)
    throw new SyntaxError(`a proof has at most ${MAX_PROOF_LENGTH} hashes`);
  const consistency = lines.map(fromBase64);
  if (consistency.some((hash) => hash.length !== 32))
    throw new SyntaxError('a hash of the proof is not 32 bytes long');
  return { oldSize: Number(digits), consistency, checkpoint: body.slice(end + 2) };
}
