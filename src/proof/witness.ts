import { cosign, openCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { verifyConsistency } from './consistency.ts';
import { equalBytes } from './encoding.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import { parseNote, type Signer } from './signed-note.ts';
import { emptyFrontier, rootOf } from './tree.ts';
import type { VerifierKey } from './verifier-key.ts';
import { type AddCheckpoint, parseAddCheckpoint } from './witness-request.ts';

/** The tree of the last checkpoint of a log that a witness cosigned. */
export interface CosignedTree {
  size: number;
  root: Uint8Array;
}

/** The response of a witness (C2SP tlog-witness). */
export interface WitnessAnswer {
  status: 200 | 400 | 403 | 404 | 409 | 422;
  /** Status 200: the cosignature line. 409: the size of the last cosigned checkpoint. Otherwise the reason. */
  body: string;
  /** Store it durably before sending the response, so that nothing older is ever cosigned. */
  cosigned?: CosignedTree & { origin: string };
}

/** A witness's key, and the logs that it cosigns. */
export interface WitnessContext {
  signer: Signer;
  /** Keys of the logs. */
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
