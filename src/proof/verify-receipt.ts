import { bodyHash, checkBody, type PickBody } from './bodies.ts';
import { openCheckpoint } from './checkpoint.ts';
import { fromHex, hex, utf8 } from './encoding.ts';
import { parseEntry } from './entry.ts';
import { checkClv, checkNetUnits } from './figures.ts';
import { rootByInclusion } from './inclusion.ts';
import {
  checkReceipt,
  claimOf,
  type EventProof,
  type PickEvent,
  type Receipt,
  type SealedReceipt,
} from './receipt.ts';
import { sha256 as ownSha256, type Sha256 } from './sha256.ts';
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
  /** Whether so many (and one at least) must have cosigned the pick's own checkpoint before the game's start. */
  beforeStart?: boolean;
}

/**
 * The steps of a proof. `receipt` looks at the receipt's form; then each event goes from its `body` up to the
 * `signature` of the log and, when asked for, of its `witnesses`; `order` and `figures` compare the events.
 */
export type StepName =
  | 'receipt'
  | 'body'
  | 'hash'
  | 'entry'
  | 'leaf'
  | 'root'
  | 'signature'
  | 'witnesses'
  | 'order'
  | 'figures';

export interface Step {
  step: StepName;
  /** Null where the step concerns the receipt as a whole. */
  event: PickEvent | null;
  ok: boolean;
  /** What was found, in a sentence. */
  detail: string;
}

export interface Verdict {
  /** `unhashed`: the pick is not in the log yet, so there is nothing to verify. Only `verified` proves anything. */
  verdict: 'verified' | 'failed' | 'unhashed';
  steps: Step[];
  /** The first step that failed. */
  failed: Step | null;
}

/** What the steps of one event look at. */
interface Walk {
  receipt: SealedReceipt;
  proof: EventProof;
  trust: Trust;
  sha256: Sha256;
}

/** The walk of one event, from what happened up to who signed for it. Each step relies on those before it. */
const walk: readonly (readonly [StepName, (walk: Walk) => string | Promise<string>])[] = [
  ['body', bodyIsWhole],
  ['hash', hashIsOfBody],
  ['entry', entryNamesHash],
  ['leaf', leafIsOfEntry],
  ['root', leafLeadsToRoot],
  ['signature', rootIsSigned],
  ['witnesses', rootIsWitnessed],
];

/**
 * Verifies a receipt, step by step. A step that fails ends its event's walk; the other events are still walked, so that
 * all that can be known is shown. It never throws, whatever it is given.
 */
export async function verifyReceipt(
  given: unknown,
  trust: Trust,
  sha256: Sha256 = ownSha256,
): Promise<Verdict> {
  const steps: Step[] = [];
  const attempt = async (step: StepName, event: PickEvent | null, check: () => string | Promise<string>) => {
    const result = await sentence(check);
    steps.push({ step, event, ...result });
    return result.ok;
  };

  if (!(await attempt('receipt', null, () => receiptIsFormed(given)))) return verdictOf(steps);
  const receipt = given as Receipt;
  if (receipt.hashStatus === 'unhashed') return { verdict: 'unhashed', steps, failed: null };

  for (const proof of receipt.proof.events) {
    for (const [step, check] of walk) {
      if (step === 'witnesses' && !asksForWitnesses(trust)) continue;
      if (!(await attempt(step, proof.event, () => check({ receipt, proof, trust, sha256 })))) break;
    }
  }
  if (steps.every(({ ok }) => ok)) {
    await attempt('order', null, () => eventsAreInOrder(receipt.proof.events));
    await attempt('figures', null, () => figuresFollow(receipt));
  }
  return verdictOf(steps);
}

function receiptIsFormed(given: unknown): string {
  checkReceipt(given);
  return given.hashStatus === 'sealed'
    ? `It is a receipt of pick ${given.pickUuid}, from the log ${given.proof.origin}.`
    : `Pick ${given.pickUuid} is stored but not sealed yet: nothing is proven until it is.`;
}

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
  if ('prev' in body)
    must(body.prev === entry.prev, `It follows the hash ${body.prev}, but its entry ${entry.prev}.`);
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
  return `By way of ${hashes.length} hashes the leaf leads to the root ${proof.rootHash} of ${proof.treeSize} entries.`;
}

async function rootIsSigned({ receipt, proof, trust }: Walk): Promise<string> {
  const { checkpoint, signedBy } = await openCheckpoint(proof.checkpoint, receipt.proof.origin, trust.keys);
  must(
    checkpoint.size === proof.treeSize,
    `The checkpoint is of ${checkpoint.size} entries, not ${proof.treeSize}.`,
  );
  const root = hex(checkpoint.root);
  must(root === proof.rootHash, `The root in the checkpoint is ${root}, not ${proof.rootHash}.`);
  return `${checkpoint.origin} has signed this root with its key ${signedBy.map(({ key }) => key.id).join(', ')}.`;
}

async function rootIsWitnessed({ receipt, proof, trust }: Walk): Promise<string> {
  const { keys, witnesses = [], quorum = witnesses.length } = trust;
  const { cosignedBy } = await openCheckpoint(proof.checkpoint, receipt.proof.origin, keys, witnesses);
  const timed = trust.beforeStart === true && proof.event === 'posted';
  const counted = timed
    ? cosignedBy.filter(({ timestamp }) => isBeforeStart(receipt.pick, timestamp!))
    : cosignedBy;
  const needed = timed ? Math.max(quorum, 1) : quorum;
  const found = `${counted.length} of ${witnesses.length} trusted witnesses cosigned it${timed ? ' before the start' : ''}`;
  must(counted.length >= needed, `${found}, where ${needed} are needed.`);
  const times = counted.map(
    ({ key, timestamp }) => `${key.name} at ${new Date(timestamp! * 1000).toISOString()}`,
  );
  return times.length === 0 ? `${found}.` : `${found}: ${times.join(', ')}.`;
}

function asksForWitnesses({ witnesses = [], quorum = 0, beforeStart = false }: Trust): boolean {
  return witnesses.length > 0 || quorum > 0 || beforeStart;
}

/** A cosignature's time counts whole seconds: the second in which the game starts is too late. */
function isBeforeStart({ starts_at }: PickBody, timestamp: number): boolean {
  return starts_at !== null && timestamp < Math.floor(Date.parse(starts_at) / 1000);
}

function eventsAreInOrder(events: readonly EventProof[]): string {
  events.slice(1).forEach((later, i) => {
    const earlier = events[i]!;
    must(
      earlier.seq < later.seq,
      `It was ${later.event} before it was ${earlier.event}: entry ${later.seq}.`,
    );
    must(
      earlier.treeSize <= later.treeSize,
      `It was ${later.event} in a smaller tree than it was ${earlier.event} in.`,
    );
    const forked = earlier.treeSize === later.treeSize && earlier.rootHash !== later.rootHash;
    must(
      !forked,
      `The log has signed two different trees of ${later.treeSize} entries: it shows different people different logs.`,
    );
  });
  return `It was ${events.map(({ event, seq }) => `${event} (entry ${seq})`).join(', then ')}.`;
}

function figuresFollow({ pick, closing, settlement, clv_bps }: SealedReceipt): string {
  const expected = closing === null ? null : closing.clv_bps;
  must(clv_bps === expected, `The receipt's clv_bps is ${clv_bps}, the closing's ${expected}.`);
  const found = [
    ...(closing === null ? [] : [checkClv(pick, closing)]),
    ...(settlement === null ? [] : [checkNetUnits(pick, settlement)]),
  ];
  return found.length === 0 ? 'There are no figures to compare yet.' : `${upperFirst(found.join('; '))}.`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Ends a step with what it found instead. */
function must(ok: boolean, otherwise: string): asserts ok {
  if (!ok) throw new Error(otherwise);
}

async function sentence(check: () => string | Promise<string>): Promise<{ ok: boolean; detail: string }> {
  try {
    return { ok: true, detail: await check() };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { ok: false, detail: upperFirst(/[.!?]$/.test(text) ? text : `${text}.`) };
  }
}

function verdictOf(steps: Step[]): Verdict {
  const failed = steps.find(({ ok }) => !ok) ?? null;
  return { verdict: failed === null ? 'verified' : 'failed', steps, failed };
}
