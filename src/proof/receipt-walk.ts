import { bodyHash, checkBody } from './bodies.ts';
import { openCheckpoint } from './checkpoint.ts';
import { fromHex, hex, utf8 } from './encoding.ts';
import { parseEntry } from './entry.ts';
import { rootByInclusion } from './inclusion.ts';
import { claimOf, type EntryProof, type EventProof, type PickEvent, type SealedReceipt } from './receipt.ts';
import type { Sha256 } from './sha256.ts';
import { leafHash } from './tree.ts';
import { isBeforeStart } from './verdicts.ts';
import type { VerifierKey } from './verifier-key.ts';

/** The verifier's trusted keys, which must not come from the receipt, and its requirements. */
export interface Trust {
  /** Public keys of the log: the current one, and earlier ones for older receipts. */
  keys: readonly VerifierKey[];
  witnesses?: readonly VerifierKey[];
  /** Number of witnesses that must have cosigned each checkpoint. Default: all. */
  quorum?: number;
  /** Require the quorum (at least one) to have cosigned the posted pick's checkpoint before the start. */
  beforeStart?: boolean;
}

export type WalkStep = 'body' | 'hash' | 'entry' | 'leaf' | 'root' | 'signature' | 'witnesses';

export interface EntryWalk {
  receipt: SealedReceipt;
  proof: EntryProof;
  trust: Trust;
  sha256: Sha256;
}

/** A receipt as a whole, without the proof of one entry. */
export type ReceiptWalk = Omit<EntryWalk, 'proof'>;

export interface Walk extends EntryWalk {
  proof: EventProof;
}

/** The check of each step. It returns its result as a sentence, or throws an error with it. Each step depends on the ones before. */
export const eventWalk: readonly (readonly [WalkStep, (walk: Walk) => string | Promise<string>])[] = [
  ['body', bodyIsWhole],
  ['hash', hashIsOfBody],
  ['entry', entryNamesHash],
  ['leaf', leafIsOfEntry],
  ['root', leafLeadsToRoot],
  ['signature', rootIsSigned],
  ['witnesses', rootIsWitnessed],
];

function bodyIsWhole({ receipt, proof: { event } }: Walk): string {
  const { body } = claimOf(receipt, event)!;
  checkBody(event, body);
  must(
    body.uuid === receipt.pickUuid,
    `It belongs to pick ${body.uuid}, but the receipt to pick ${receipt.pickUuid}.`,
  );
  return 'It has exactly the fields that are hashed, each well-formed.';
}

function hashIsOfBody({ receipt, proof: { event }, sha256 }: Walk): string {
  const claim = claimOf(receipt, event)!;
  const computed = bodyHash(event, claim.body, sha256);
  must(
    computed === claim.hash,
    `Its hash is ${computed}, not ${claim.hash} as the receipt says: one was changed.`,
  );
  return `Its hash is ${computed}, as the receipt says.`;
}

function entryNamesHash({ receipt, proof }: Walk): string {
  const { body, hash } = claimOf(receipt, proof.event)!;
  const entry = parseEntry(proof.entry);
  const { capper, capper_seq } = receipt.pick;
  const expected = {
    seq: proof.seq,
    kind: proof.event,
    uuid: body.uuid,
    capper,
    capper_seq,
    hash,
    prev: prevOf(receipt, proof.event),
  };
  for (const [key, value] of Object.entries(expected)) {
    const named = entry[key as keyof typeof expected];
    must(named === value, `The entry's ${key} is ${named}, but must be ${value}.`);
  }
  const prev = 'prev' in body ? body.prev : null;
  must(prev === entry.prev, `The entry's prev is ${entry.prev}, but the body's is ${prev}.`);
  return `Entry ${entry.seq} of the log has this hash, for pick number ${capper_seq} of ${capper}.`;
}

function prevOf(receipt: SealedReceipt, event: PickEvent): string | null {
  if (event === 'posted') return null;
  return event === 'settled' && receipt.closing_hash !== null ? receipt.closing_hash : receipt.pick_hash;
}

/** @throws Error with the sentence of the first step that fails */
export async function entryIsInLog(walk: EntryWalk): Promise<void> {
  leafIsOfEntry(walk);
  leafLeadsToRoot(walk);
  await rootIsSigned(walk);
  await rootIsWitnessed(walk);
}

function leafIsOfEntry({ proof, sha256 }: EntryWalk): string {
  const computed = hex(leafHash(utf8(proof.entry), sha256));
  must(computed === proof.leafHash, `The entry's leaf hash is ${computed}, not ${proof.leafHash}.`);
  return `The entry's leaf hash is ${computed}.`;
}

function leafLeadsToRoot({ proof, sha256 }: EntryWalk): string {
  const hashes = proof.inclusion.map(fromHex);
  const inclusion = { index: proof.seq, size: proof.treeSize, hashes };
  const root = rootByInclusion(fromHex(proof.leafHash), inclusion, sha256);
  must(
    root !== null,
    `${hashes.length} hashes cannot prove that entry ${proof.seq} is in a tree of ${proof.treeSize} entries.`,
  );
  must(hex(root) === proof.rootHash, `The leaf leads to the root ${hex(root)}, not ${proof.rootHash}.`);
  return `With ${hashes.length} hashes the leaf leads to the root ${proof.rootHash} of ${proof.treeSize} entries.`;
}

async function rootIsSigned({ receipt, proof, trust }: EntryWalk): Promise<string> {
  const { checkpoint, signedBy } = await openCheckpoint(proof.checkpoint, receipt.proof.origin, trust.keys);
  must(
    checkpoint.size === proof.treeSize,
    `The checkpoint has ${checkpoint.size} entries, not ${proof.treeSize}.`,
  );
  const root = hex(checkpoint.root);
  must(root === proof.rootHash, `The checkpoint's root is ${root}, not ${proof.rootHash}.`);
  const ids = signedBy.map(({ key }) => key.id).join(', ');
  return `The log ${checkpoint.origin} has signed this root with its key ${ids}.`;
}

async function rootIsWitnessed({ receipt, proof, trust }: EntryWalk | Walk): Promise<string> {
  const { keys, witnesses = [], quorum = witnesses.length } = trust;
  const { cosignedBy } = await openCheckpoint(proof.checkpoint, receipt.proof.origin, keys, witnesses);
  const timed = trust.beforeStart === true && 'event' in proof && proof.event === 'posted';
  const counted = timed
    ? cosignedBy.filter(({ timestamp }) => isBeforeStart(receipt.pick, timestamp!))
    : cosignedBy;
  const required = timed ? Math.max(quorum, 1) : quorum;
  const when = timed ? ' before the start' : '';
  const found = `${counted.length} of ${witnesses.length} trusted witnesses cosigned it${when}`;
  must(counted.length >= required, `${found}, but ${required} are required.`);
  const times = counted.map(
    ({ key, timestamp }) => `${key.name} at ${new Date(timestamp! * 1000).toISOString()}`,
  );
  return times.length === 0 ? `${found}.` : `${found}: ${times.join(', ')}.`;
}

export function must(ok: boolean, failure: string): asserts ok {
  if (!ok) throw new Error(failure);
}
