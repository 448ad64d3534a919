import { type Acknowledgement, openAcknowledgement } from '../proof/acknowledgement.ts';
import { checkPromise } from '../proof/check-acknowledgement.ts';
import { verifyConsistency } from '../proof/consistency.ts';
import { fromHex } from '../proof/encoding.ts';
import { checkReceipt, type SealedReceipt } from '../proof/receipt.ts';
import type { VerifierKey } from '../proof/verifier-key.ts';
import type { LogClient } from './log-client.ts';
import { sha256 } from './sha256.ts';

/** Time within which a pick must be sealed after its stated time or acknowledgement, in milliseconds. */
export const sealedWithinMs = 15 * 60_000;

/** Verdicts on the given acknowledgements, by the pick's UUID. */
export type Promises = Record<string, 'kept' | 'broken'>;

export interface SeenTree {
  size: number;
  root: string;
}

export interface PromiseFinding {
  kind: 'promise';
  message: string;
}

/**
 * Checks the log's signed promises to seal picks. A promise is broken if the pick was sealed differently, or if the verified tree does not
 * have it within 15 minutes.
 * @param promises is modified: promises with a verdict are not checked again
 * @param now the monitor's clock, in epoch milliseconds
 */
export async function checkPromises(
  log: LogClient,
  notes: readonly string[],
  {
    origin,
    keys,
    tree,
    promises,
  }: { origin: string; keys: readonly VerifierKey[]; tree: SeenTree; promises: Promises },
  now: number,
): Promise<PromiseFinding[]> {
  const findings: PromiseFinding[] = [];
  const broken = (uuid: string, message: string) => {
    promises[uuid] = 'broken';
    findings.push({ kind: 'promise', message });
  };
  for (const note of notes) {
    const opened = await opening(note, origin, keys);
    if (typeof opened === 'string') {
      findings.push({ kind: 'promise', message: opened });
      continue;
    }
    const { uuid } = opened.pick;
    if (promises[uuid] !== undefined) continue;
    const receipt = await log.receipt(uuid);
    const { outcome, detail } = await checkPromise(opened, receipt, keys);
    const isLate = now - Date.parse(opened.at) > sealedWithinMs;
    if (outcome === 'kept') {
      checkReceipt(receipt);
      const inTree = await isInTree(log, receipt as SealedReceipt, tree);
      if (inTree) promises[uuid] = 'kept';
      else if (inTree === false)
        broken(uuid, `the receipt of pick ${uuid} belongs to another tree than the one served here`);
      else if (isLate)
        broken(uuid, `pick ${uuid} was acknowledged at ${opened.at} and is not in the published log`);
    } else if (outcome === 'broken' && receipt !== undefined) broken(uuid, detail);
    else if (isLate) broken(uuid, `pick ${uuid} was acknowledged at ${opened.at} and is not in the log`);
  }
  return findings;
}

async function opening(
  note: string,
  origin: string,
  keys: readonly VerifierKey[],
): Promise<Acknowledgement | string> {
  try {
    return await openAcknowledgement(note, origin, keys);
  } catch (error) {
    return `an acknowledgement does not come from ${origin}: ${(error as Error).message}`;
  }
}

/** Reports whether the verified tree extends the receipt's. Null if the receipt's tree is larger, and so not verified yet. */
export async function isInTree(
  log: LogClient,
  { proof }: SealedReceipt,
  tree: SeenTree,
): Promise<boolean | null> {
  const { treeSize, rootHash } = proof.events[0]!;
  if (treeSize > tree.size) return null;
  if (treeSize === tree.size) return rootHash === tree.root;
  const hashes = (await log.consistency(treeSize, tree.size)).map(fromHex);
  return verifyConsistency(
    fromHex(rootHash),
    fromHex(tree.root),
    { from: treeSize, to: tree.size, hashes },
    sha256,
  );
}
