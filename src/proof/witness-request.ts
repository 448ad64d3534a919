import { base64, fromBase64 } from './encoding.ts';

/**
 * What a log asks a witness with, by C2SP tlog-witness (`POST <prefix>/add-checkpoint`): its newest
 * checkpoint, and the proof that it goes on from the one that the witness cosigned last.
 */
export interface AddCheckpoint {
  /** The size that the witness cosigned last; 0 when it never did, and then the proof is empty. */
  oldSize: number;
  /** The hashes of the consistency proof from there. */
  consistency: readonly Uint8Array[];
  /** The checkpoint, a signed note. */
  checkpoint: string;
}

const LONGEST_PROOF = 63;

export function formatAddCheckpoint({ oldSize, consistency, checkpoint }: AddCheckpoint): string {
  return [`old ${oldSize}`, ...consistency.map(base64), '', checkpoint].join('\n');
}

/** @throws SyntaxError when the request's body is not formed so. Nothing of it is verified yet. */
export function parseAddCheckpoint(body: string): AddCheckpoint {
  const end = body.indexOf('\n\n');
  const [old = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n');
  const [, digits = ''] = /^old (0|[1-9]\d*)$/.exec(old) ?? [];
  if (digits === '' || !Number.isSafeInteger(Number(digits)))
    throw new SyntaxError('the old size is missing');
  if (lines.length > LONGEST_PROOF) throw new SyntaxError(`a proof has at most ${LONGEST_PROOF} hashes`);
  const consistency = lines.map(fromBase64);
  if (consistency.some((hash) => hash.length !== 32))
    throw new SyntaxError('a hash of the proof has not 32 bytes');
  return { oldSize: Number(digits), consistency, checkpoint: body.slice(end + 2) };
}
