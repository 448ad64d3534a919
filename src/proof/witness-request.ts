import { base64, fromBase64 } from './encoding.ts';

/**
 * A log's request for a cosignature, by C2SP tlog-witness (`POST <prefix>/add-checkpoint`): its latest
 * checkpoint, and a proof of consistency with the one that the witness cosigned last.
 */
export interface AddCheckpoint {
  /** Size of the last checkpoint that the witness cosigned; 0 if none, with an empty proof. */
  oldSize: number;
  /** Hashes of the consistency proof from that size. */
  consistency: readonly Uint8Array[];
  /** The checkpoint, a signed note. */
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
