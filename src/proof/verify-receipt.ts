import { authorIsKnown } from './author-walk.ts';
import { openCheckpoint } from './checkpoint.ts';
import { checkClv, checkNetUnits, checkPriceVerdict } from './figures.ts';
import { pricesAreInLog } from './price-walk.ts';
import {
  checkReceipt,
  type EventProof,
  type PickEvent,
  type Receipt,
  type SealedReceipt,
} from './receipt.ts';
import { eventWalk, must, type Trust, type WalkStep } from './receipt-walk.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import { receiptVerdicts, unproven, type Verdicts } from './verdicts.ts';

/**
 * The steps of a verification. `receipt` checks the shape of the receipt. For each event, the steps lead from its `body` up to the log's
 * `signature` and, if required, to the `witnesses`. `order` and `figures` compare the events. `prices` finds the prices that decided in the
 * log. `author` checks the signature of a signed pick.
 */
export type StepName = 'receipt' | WalkStep | 'order' | 'figures' | 'prices' | 'author';

export interface Step {
  step: StepName;
  /** Null if the step concerns the whole receipt. */
  event: PickEvent | null;
  ok: boolean;
  detail: string;
}

export interface Verification {
  /** Whether the receipt's proof holds. `unhashed`: the pick is not in the log yet, so nothing is proven. */
  proof: 'ok' | 'failed' | 'unhashed';
  verdicts: Verdicts;
  /** Whether events beyond the receipt may exist. Nothing follows a settlement. */
  laterEventsMayExist: boolean;
  steps: Step[];
  failed: Step | null;
}

/**
 * Verifies a receipt, step by step. A failed step skips the remaining steps of its event, but not those of other events. Never throws, for
 * any input.
 */
export async function verifyReceipt(
  given: unknown,
  trust: Trust,
  sha256: Sha256 = defaultSha256,
): Promise<Verification> {
  const steps: Step[] = [];
  const attempt = async (step: StepName, event: PickEvent | null, check: () => string | Promise<string>) => {
    const result = await outcomeOf(check);
    steps.push({ step, event, ...result });
    return result.ok;
  };

  if (!(await attempt('receipt', null, () => receiptIsWellFormed(given)))) return failedBy(steps);
  const receipt = given as Receipt;
  if (receipt.hashStatus === 'unhashed')
    return {
      proof: 'unhashed',
      verdicts: unproven('not_yet'),
      laterEventsMayExist: true,
      steps,
      failed: null,
    };

  for (const proof of receipt.proof.events) {
    for (const [step, check] of eventWalk) {
      if (step === 'witnesses' && !requiresWitnesses(trust)) continue;
      if (!(await attempt(step, proof.event, () => check({ receipt, proof, trust, sha256 })))) break;
    }
  }
  if (steps.every(({ ok }) => ok)) {
    await attempt('order', null, () => eventsAreInOrder(receipt.proof.events));
    await attempt('figures', null, () => figuresAgree(receipt));
    if (receipt.closing !== null || receipt.settlement !== null || receipt.proof.prices.length > 0)
      await attempt('prices', null, () => pricesAreInLog({ receipt, trust, sha256 }));
    if (receipt.pick.author !== null || receipt.proof.keys.length > 0)
      await attempt('author', null, () => authorIsKnown({ receipt, trust, sha256 }));
  }
  if (steps.some(({ ok }) => !ok)) return failedBy(steps);
  return {
    proof: 'ok',
    verdicts: await verdictsUnder(receipt, trust),
    laterEventsMayExist: receipt.settlement === null,
    steps,
    failed: null,
  };
}

async function verdictsUnder(receipt: SealedReceipt, trust: Trust): Promise<Verdicts> {
  const { keys, witnesses = [], quorum = witnesses.length } = trust;
  const { checkpoint } = receipt.proof.events[0]!;
  const { cosignedBy } = await openCheckpoint(checkpoint, receipt.proof.origin, keys, witnesses);
  return receiptVerdicts(
    receipt,
    cosignedBy.map(({ timestamp }) => timestamp!),
    quorum,
  );
}

function receiptIsWellFormed(given: unknown): string {
  checkReceipt(given);
  return given.hashStatus === 'sealed'
    ? `It is a receipt of pick ${given.pickUuid}, from the log ${given.proof.origin}.`
    : `Pick ${given.pickUuid} is stored but not sealed yet: until then nothing is proven.`;
}

function requiresWitnesses({ witnesses = [], quorum = 0, beforeStart = false }: Trust): boolean {
  return witnesses.length > 0 || quorum > 0 || beforeStart;
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
      `The tree in which it was ${later.event} is smaller than that in which it was ${earlier.event}.`,
    );
    must(
      earlier.treeSize < later.treeSize || earlier.rootHash === later.rootHash,
      `The log has signed two different trees of ${later.treeSize} entries: it is forked.`,
    );
  });
  return `It was ${events.map(({ event, seq }) => `${event} (entry ${seq})`).join(', then ')}.`;
}

function figuresAgree({ pick, closing, settlement, clv_bps }: SealedReceipt): string {
  const expected = closing === null ? null : closing.clv_bps;
  must(clv_bps === expected, `The receipt's clv_bps is ${clv_bps}, but the closing's is ${expected}.`);
  const found = [
    ...(closing === null ? [] : [checkClv(pick, closing)]),
    ...(settlement === null ? [] : [checkNetUnits(pick, settlement), ...checkPriceVerdict(pick, settlement)]),
  ];
  return found.length === 0 ? 'There are no figures to compare yet.' : `${upperFirst(found.join('; '))}.`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

async function outcomeOf(check: () => string | Promise<string>): Promise<{ ok: boolean; detail: string }> {
  try {
    return { ok: true, detail: await check() };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { ok: false, detail: upperFirst(/[.!?]$/.test(text) ? text : `${text}.`) };
  }
}

function failedBy(steps: Step[]): Verification {
  const failed = steps.find(({ ok }) => !ok) ?? null;
  return { proof: 'failed', verdicts: unproven('failed'), laterEventsMayExist: true, steps, failed };
}
