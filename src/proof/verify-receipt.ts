import { checkClv, checkNetUnits } from './figures.ts';
import {
  checkReceipt,
  type EventProof,
  type PickEvent,
  type Receipt,
  type SealedReceipt,
} from './receipt.ts';
import { eventWalk, must, type Trust, type WalkStep } from './receipt-walk.ts';
import { sha256 as ownSha256, type Sha256 } from './sha256.ts';

/**
 * The steps of a proof. `receipt` looks at the receipt's form; then each event goes from its `body` up to the
 * `signature` of the log and, when asked for, of its `witnesses`; `order` and `figures` compare the events.
 */
export type StepName = 'receipt' | WalkStep | 'order' | 'figures';

export interface Step {
  step: StepName;
  /** Null where the step concerns the receipt as a whole. */
  event: PickEvent | null;
  ok: boolean;
  /** What was found, in a sentence. */
  detail: string;
}

export interface Verdict {
  /**
   * `unhashed`: the pick is not in the log yet, so there is nothing to verify. Only `verified` proves
   * anything.
   */
  verdict: 'verified' | 'failed' | 'unhashed';
  steps: Step[];
  /** The first step that failed. */
  failed: Step | null;
}

/**
 * Verifies a receipt, step by step. A step that fails ends its event's walk; the other events are still
 * walked, so that all that can be known is shown. It never throws, whatever it is given.
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
    for (const [step, check] of eventWalk) {
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

function asksForWitnesses({ witnesses = [], quorum = 0, beforeStart = false }: Trust): boolean {
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
      `It was ${later.event} in a smaller tree than it was ${earlier.event} in.`,
    );
    must(
      earlier.treeSize < later.treeSize || earlier.rootHash === later.rootHash,
      `The log has signed two different trees of ${later.treeSize} entries: there is more than one of it.`,
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
