import { type Checkpoint, openCheckpoint } from '../proof/checkpoint.ts';
import { parseNote, signatureLine } from '../proof/signed-note.ts';
import type { VerifierKey } from '../proof/verifier-key.ts';
import type { Witness } from '../proof/witness-list.ts';
import { formatAddCheckpoint } from '../proof/witness-request.ts';

/** How long one witness may take, in milliseconds: receipts wait as long. */
const timeoutMs = 3_000;

/** The longest answer that is read, in bytes: a few signature lines. */
const maxAnswerBytes = 65_536;

/** A checkpoint, and what witnesses need to see that the log only grew. */
export interface WitnessRequest {
  note: string;
  checkpoint: Checkpoint;
  /** The log's own keys. */
  keys: readonly VerifierKey[];
  /** The hashes of the consistency proof from an older size, 1 or more. */
  consistency(from: number): Promise<Uint8Array[]>;
}

/** A witness's cosignature, or why there is none. */
export type WitnessOutcome = { witness: Witness } & ({ line: string } | { failure: string });

/** The size that each witness has cosigned last, by its key's id, as far as this process knows: a first guess, no more. */
const cosigned = new Map<string, number>();

/** Asks every witness to cosign a checkpoint (C2SP tlog-witness), all at once. Never rejects: a witness may be away. */
export function askWitnesses(
  witnesses: readonly Witness[],
  asked: WitnessRequest,
): Promise<WitnessOutcome[]> {
  return Promise.all(
    witnesses.map(async (witness): Promise<WitnessOutcome> => {
      try {
        return { witness, line: await ask(witness, asked, AbortSignal.timeout(timeoutMs)) };
      } catch (error) {
        return { witness, failure: (error as Error).message };
      }
    }),
  );
}

async function ask(witness: Witness, asked: WitnessRequest, signal: AbortSignal): Promise<string> {
  const { size } = asked.checkpoint;
  const memory = `${asked.checkpoint.origin} ${witness.key.id}`;
  let response = await addCheckpoint(witness, asked, Math.min(cosigned.get(memory) ?? 0, size), signal);
  if (response.status === 409) {
    const known = Number(response.body.trim());
    if (!Number.isSafeInteger(known) || known < 0 || known > size)
      throw new Error(`it has cosigned ${response.body.trim().slice(0, 40)} entries, of ${size}`);
    response = await addCheckpoint(witness, asked, known, signal);
  }
  if (response.status !== 200) throw new Error(`it answers ${response.status}`);
  const line = await verifiedLine(witness.key, asked, response.body);
  cosigned.set(memory, size);
  return line;
}

async function addCheckpoint(
  { url }: Witness,
  { note, consistency }: WitnessRequest,
  oldSize: number,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const body = formatAddCheckpoint({
    oldSize,
    consistency: oldSize === 0 ? [] : await consistency(oldSize),
    checkpoint: note,
  });
  const response = await fetch(`${url}/add-checkpoint`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    body,
    redirect: 'error',
    signal,
  });
  return { status: response.status, body: await shortText(response) };
}

async function shortText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > maxAnswerBytes) throw new Error('its answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The one line of an answer that is this witness's cosignature: whatever else it sent is left out. */
async function verifiedLine(key: VerifierKey, { note, checkpoint, keys }: WitnessRequest, lines: string) {
  const together = note + lines;
  const { cosignedBy } = await openCheckpoint(together, checkpoint.origin, keys, [key]);
  if (cosignedBy.length === 0) throw new Error('its answer holds no cosignature of its key');
  const own = parseNote(together).signatures.find(({ name, id }) => name === key.name && id === key.id)!;
  return signatureLine(key, own.signature);
}
