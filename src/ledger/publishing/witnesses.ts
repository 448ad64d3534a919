import { bytesWithin } from '../../platform/bytes-within.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Checkpoint, openCheckpoint } from '../../proof/checkpoint.ts';
import { parseNote, signatureLine } from '../../proof/signed-note.ts';
import type { VerifierKey } from '../../proof/verifier-key.ts';
import { formatAddCheckpoint, type Witness } from '../../proof/witness.ts';
import { consistencyHashes } from '../sealing/tree.ts';
import { openRefusal } from './refusals.ts';

interface Uncosigned {
  checkpoint: Checkpoint;
  note: string;
  keys: readonly VerifierKey[];
}

/**
 * Asks the remaining witnesses to cosign a checkpoint, unless a quorum has. No transaction may be open.
 * @returns the note with all new cosignatures, and a sentence if a witness has cosigned a different tree. A conflict lasts until that
 * witness cosigns or is removed from the settings
 */
export async function cosign(
  database: Database,
  { checkpoint, note: before, keys }: Uncosigned,
  { witnesses, quorum }: { witnesses: readonly Witness[]; quorum: number },
  log?: Logger,
): Promise<{ note: string; conflict: string | null }> {
  let missing = withoutCosignature(before, witnesses);
  const isComplete = quorum > 0 && witnesses.length - missing.length >= quorum;
  const answers = await askWitnesses(isComplete ? [] : missing, {
    note: before,
    checkpoint,
    keys,
    consistency: (from) => consistencyHashes(database, from, checkpoint.size),
  });
  let note = before;
  let conflict: string | null = null;
  for (const answer of answers) {
    if ('line' in answer) {
      note += answer.line;
      continue;
    }
    const { witness, failure } = answer;
    log?.warn({ witness: witness.key.name, err: failure }, 'a witness did not cosign');
    if (answer.conflict) conflict ??= `${sentenceAbout(witness)}${failure}. Is there a second log?`;
  }
  missing = withoutCosignature(note, witnesses);
  const known = (await openRefusal(database, 'conflict')) ?? '';
  if (missing.some((witness) => known.startsWith(sentenceAbout(witness)))) conflict ??= known;
  return { note, conflict };
}

function sentenceAbout({ key }: Witness): string {
  return `Witness ${key.name} contradicts the log: `;
}

function withoutCosignature(note: string, witnesses: readonly Witness[]): Witness[] {
  const { signatures } = parseNote(note);
  return witnesses.filter(
    ({ key }) => !signatures.some(({ name, id }) => name === key.name && id === key.id),
  );
}

/** Timeout per witness, in ms. New receipts wait for it. */
const timeoutMs = 3_000;

/** Maximum response size, in bytes: a few signature lines. */
const maxAnswerBytes = 65_536;

interface WitnessRequest extends Uncosigned {
  /** @param from at least 1 */
  consistency(from: number): Promise<Uint8Array[]>;
}

/** A conflict is evidence of a different tree under the log's origin; other failures can be temporary. */
type WitnessOutcome = { witness: Witness } & ({ line: string } | { failure: string; conflict: boolean });

class Conflict extends Error {
  override name = 'Conflict';
}

/** The last size that each witness is known to have cosigned, by origin and key id. Only a hint, known to this process. */
const cosigned = new Map<string, number>();

/** Asks all witnesses concurrently to cosign a checkpoint (C2SP tlog-witness). Never rejects, because a witness can be unavailable. */
function askWitnesses(witnesses: readonly Witness[], asked: WitnessRequest): Promise<WitnessOutcome[]> {
  return Promise.all(
    witnesses.map(async (witness): Promise<WitnessOutcome> => {
      try {
        return { witness, ...(await ask(witness, asked, AbortSignal.timeout(timeoutMs))) };
      } catch (error) {
        return { witness, failure: (error as Error).message, conflict: error instanceof Conflict };
      }
    }),
  );
}

async function ask(witness: Witness, asked: WitnessRequest, signal: AbortSignal) {
  const { size } = asked.checkpoint;
  const hintKey = `${asked.checkpoint.origin} ${witness.key.id}`;
  let from = Math.min(cosigned.get(hintKey) ?? 0, size);
  let response = await addCheckpoint(witness, asked, from, signal);
  if (response.status === 409) {
    const text = response.body.trim();
    if (!/^\d{1,15}$/.test(text)) throw new Error('it answered 409 without a size');
    const known = Number(text);
    if (known > size) throw new Conflict(`it has cosigned a tree of ${known} entries, more than the ${size}`);
    const asKnown = known === from;
    from = known;
    if (!asKnown) response = await addCheckpoint(witness, asked, from, signal);
    if (response.status === 409 && from === size)
      throw new Conflict(`it has cosigned another tree of ${size} entries`);
  }
  if (response.status === 422)
    throw new Conflict(`it has cosigned a tree of ${from} entries that this one does not extend`);
  if (response.status !== 200) throw new Error(`it answered ${response.status}`);
  const cosignature = await verifiedLine(witness.key, asked, response.body);
  cosigned.set(hintKey, size);
  return cosignature;
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
  const answer = await bytesWithin(response.body ?? [], maxAnswerBytes);
  if (answer === null) throw new Error('its answer is too long');
  return { status: response.status, body: answer.toString() };
}

/** Returns the line of a response that is this witness's verified cosignature, and ignores all other lines. */
async function verifiedLine(key: VerifierKey, { note, checkpoint, keys }: WitnessRequest, lines: string) {
  const together = note + lines;
  const { cosignedBy } = await openCheckpoint(together, checkpoint.origin, keys, [key]);
  if (cosignedBy.length === 0) throw new Error('its answer contains no cosignature by its key');
  const own = parseNote(together).signatures.find(({ name, id }) => name === key.name && id === key.id)!;
  return { line: signatureLine(key, own.signature) };
}
