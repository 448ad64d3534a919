import { cosign, openCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { verifyConsistency } from './consistency.ts';
import { equalBytes } from './encoding.ts';
import { sha256 as ownSha256, type Sha256 } from './sha256.ts';
import { parseNote, type Signer } from './signed-note.ts';
import { emptyFrontier, rootOf } from './tree.ts';
import type { VerifierKey } from './verifier-key.ts';
import { type AddCheckpoint, parseAddCheckpoint } from './witness-request.ts';

/** What a witness remembers of a log: the tree that it cosigned last. */
export interface Witnessed {
  size: number;
  root: Uint8Array;
}

/** What a witness answers (C2SP tlog-witness). */
export interface WitnessAnswer {
  status: 200 | 400 | 403 | 404 | 409 | 422;
  /** With 200 the cosignature's line, with 409 the size that was cosigned last, else a sentence. */
  body: string;
  /** To be stored, synced to disk, before this is answered: nothing older may ever be cosigned again. */
  remember?: Witnessed & { origin: string };
}

/** Who the witness is, and which logs it knows. */
export interface WitnessSelf {
  signer: Signer;
  /** The keys of the logs. */
  logs: readonly VerifierKey[];
  /** What it remembers of a log; undefined when it never cosigned it. Nothing may change until the answer is stored. */
  recall(origin: string): Witnessed | undefined;
}

/**
 * Answers a request to cosign a checkpoint: it must be signed by the log, and consistent with the one that was cosigned last.
 *
 * @param body of `POST <prefix>/add-checkpoint`
 * @param timestamp seconds since 1970
 */
export async function answerAddCheckpoint(
  body: string,
  { signer, logs, recall }: WitnessSelf,
  timestamp: number,
  sha256: Sha256 = ownSha256,
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
  const known = recall(origin) ?? { size: 0, root: rootOf(emptyFrontier(), sha256) };
  if (oldSize > size) return { status: 400, body: 'the old size is above that of the checkpoint\n' };
  if (oldSize !== known.size || (size === known.size && !equalBytes(root, known.root)))
    return { status: 409, body: `${known.size}\n` };
  const goesOn =
    oldSize === 0 || oldSize === size
      ? consistency.length === 0
      : verifyConsistency(known.root, root, { from: oldSize, to: size, hashes: consistency }, sha256);
  if (!goesOn) return { status: 422, body: 'the checkpoint does not go on from the one before it\n' };
  return {
    status: 200,
    body: await cosign(request.checkpoint, signer, timestamp),
    remember: { origin, size, root },
  };
}
