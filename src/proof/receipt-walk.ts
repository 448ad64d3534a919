import { bodyHash, checkBody, type PickBody } from './bodies.ts';
import { openCheckpoint } from './checkpoint.ts';
import { fromHex, hex, utf8 } from './encoding.ts';
import { parseEntry } from './entry.ts';
import { rootByInclusion } from './inclusion.ts';
import { claimOf, type EventProof, type PickEvent, type SealedReceipt } from './receipt.ts';
import type { Sha256 } from './sha256.ts';
import { leafHash } from './tree.ts';
import type { VerifierKey } from './verifier-key.ts';

/** Whom the verifier trusts, from sources of their own, and how much they ask for. */
export interface Trust {
  /** The log's public keys: the present one, and those before it for older receipts. */
  keys: readonly VerifierKey[];
  /** Witnesses, each a key of the cosignature type. */
  witnesses?: readonly VerifierKey[];
  /** How many of them must have cosigned every checkpoint; all of them when not given. */
  quorum?: number;
  /**
   * Whether so many (and one at least) must have cosigned the pick's own checkpoint before the game's start.
   */
  beforeStart?: boolean;
}

/** The steps of one event, from what happened up to who signed for it. */
export type WalkStep = 'body' | 'hash' | 'entry' | 'leaf' | 'root' | 'signature' | 'witnesses';

/** What the steps of one event look at. */
export interface Walk {
  receipt: SealedReceipt;
  proof: EventProof;
  trust: Trust;
  sha256: Sha256;
}

/**
 * How each step is checked: it returns what it found, in a sentence, or throws it. Each relies on those
 * before it.
 */
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
    `It is of pick ${body.uuid}, but the receipt of pick ${receipt.pickUuid}.`,
  );
  return 'It has exactly the fields that are hashed, each in its form.';
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
    must(named === value, `The entry's ${key} is ${named}, where it must be ${value}.`);
  }
  const follows = 'prev' in body ? body.prev : null;
  must(follows === entry.prev, `The entry's prev is ${entry.prev}, but that in the receipt is ${follows}.`);
  return `Entry ${entry.seq} of the log holds this hash, for pick number ${capper_seq} of ${capper}.`;
}

/** The hash of the pick's event before this one. */
function prevOf(receipt: SealedReceipt, event: PickEvent): string | null {
  if (event === 'posted') return null;
  return event === 'settled' && receipt.closing_hash !== null ? receipt.closing_hash : receipt.pick_hash;
}

function leafIsOfEntry({ proof, sha256 }: Walk): string {
  const computed = hex(leafHash(utf8(proof.entry), sha256));
  must(computed === proof.leafHash, `The entry's leaf hash is ${computed}, not ${proof.leafHash}.`);
  return `The entry's leaf hash is ${computed}.`;
}

function leafLeadsToRoot({ proof, sha256 }: Walk): string {
  const hashes = proof.inclusion.map(fromHex);
  const inclusion = { index: proof.seq, size: proof.treeSize, hashes };
  const root = rootByInclusion(fromHex(proof.leafHash), inclusion, sha256);
  must(
    root !== null,
    `${hashes.length} hashes cannot prove entry ${proof.seq} in a tree of ${proof.treeSize}.`,
  );
  must(hex(root) === proof.rootHash, `The leaf leads to the root ${hex(root)}, not ${proof.rootHash}.`);
  return `With ${hashes.length} hashes the leaf leads to the root ${proof.rootHash} of ${proof.treeSize} entries.`;
}

async function rootIsSigned({ receipt, proof, trust }: Walk): Promise<string> {
  const { checkpoint, signedBy } = await openCheckpoint(proof.checkpoint, receipt.proof.origin, trust.keys);
  must(
    checkpoint.size === proof.treeSize,
    `The checkpoint is of ${checkpoint.size} entries, not ${proof.treeSize}.`,
  );
  const root = hex(checkpoint.root);
  must(root === proof.rootHash, `The root in the checkpoint is ${root}, not ${proof.rootHash}.`);
  const ids = signedBy.map(({ key }) => key.id).join(', ');
  return `The log ${checkpoint.origin} has signed this root with its key ${ids}.`;
}

async function rootIsWitnessed({ receipt, proof, trust }: Walk): Promise<string> {
  const { keys, witnesses = [], quorum = witnesses.length } = trust;
  const { cosignedBy } = await openCheckpoint(proof.checkpoint, receipt.proof.origin, keys, witnesses);
  const timed = trust.beforeStart === true && proof.event === 'posted';
  const counted = timed
    ? cosignedBy.filter(({ timestamp }) => isBeforeStart(receipt.pick, timestamp!))
    : cosignedBy;
  const needed = timed ? Math.max(quorum, 1) : quorum;
  const when = timed ? ' before the start' : '';
  const found = `${counted.length} of ${witnesses.length} trusted witnesses cosigned it${when}`;
  must(counted.length >= needed, `${found}, where ${needed} are needed.`);
  const times = counted.map(
    ({ key, timestamp }) => `${key.name} at ${new Date(timestamp! * 1000).toISOString()}`,
  );
  return times.length === 0 ? `${found}.` : `${found}: ${times.join(', ')}.`;
}

/** A cosignature's time counts whole seconds: the second in which the game starts is too late. */
function isBeforeStart({ starts_at }: PickBody, timestamp: number): boolean {
  return starts_at !== null && timestamp < Math.floor(Date.parse(starts_at) / 1000);
}

/** Ends a step with what it found instead. */
export function must(ok: boolean, otherwise: string): asserts ok {
  if (!ok) throw new Error(otherwise);
}
