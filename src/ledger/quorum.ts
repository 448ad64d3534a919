import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Checkpoint } from '../proof/checkpoint.ts';
import { parseNote } from '../proof/signed-note.ts';
import type { VerifierKey } from '../proof/verifier-key.ts';
import type { Witness } from '../proof/witness-list.ts';
import { openRefusal } from './refusals.ts';
import { consistencyHashes } from './tree.ts';
import { askWitnesses } from './witnesses.ts';

export interface Quorum {
  witnesses: readonly Witness[];
  /** `WITNESS_QUORUM`. */
  quorum: number;
}

/** What a checkpoint needs besides the log's signature. */
interface Unsigned {
  checkpoint: Checkpoint;
  note: string;
  /** The log's own keys. */
  keys: readonly VerifierKey[];
}

/**
 * Asks the witnesses that have not cosigned a checkpoint yet, unless a quorum has. No transaction may be open.
 * @returns the note with the cosignatures that they gave, and a sentence if a witness has cosigned another tree. A conflict lasts until
 * that witness cosigns or is no longer one
 */
export async function cosign(
  database: Database,
  { checkpoint, note: before, keys }: Unsigned,
  { witnesses, quorum }: Quorum,
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
    log?.warn({ witness: witness.key.name, err: failure }, 'witness gave no cosignature');
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
