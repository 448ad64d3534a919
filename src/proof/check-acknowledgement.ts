import { type Acknowledgement, brokenPromises } from './acknowledgement.ts';
import { checkReceipt } from './receipt.ts';
import type { VerifierKey } from './verifier-key.ts';
import { verifyReceipt } from './verify-receipt.ts';

export interface PromiseState {
  outcome: 'kept' | 'open' | 'broken';
  detail: string;
}

/**
 * Compares an acknowledgement with the receipt of its pick.
 * @param receipt the log's response; undefined if it has no such pick
 * @param keys the log's keys
 */
export async function checkPromise(
  acknowledgement: Acknowledgement,
  receipt: unknown,
  keys: readonly VerifierKey[],
): Promise<PromiseState> {
  const { uuid } = acknowledgement.pick;
  if (receipt === undefined)
    return { outcome: 'broken', detail: `The log has no pick ${uuid}, although it acknowledged it.` };
  const { proof, failed } = await verifyReceipt(receipt, { keys });
  if (failed !== null)
    return { outcome: 'broken', detail: `The receipt of pick ${uuid} fails: ${failed.detail}` };
  if (proof === 'unhashed') return { outcome: 'open', detail: `Pick ${uuid} is stored, but not sealed yet.` };
  checkReceipt(receipt);
  if (receipt.hashStatus === 'unhashed' || receipt.pickUuid !== uuid)
    return { outcome: 'broken', detail: `The log returned the receipt of another pick.` };
  const broken = brokenPromises(acknowledgement, receipt.pick);
  if (broken.length > 0)
    return { outcome: 'broken', detail: `Pick ${uuid} was sealed differently: ${broken.join(', ')} differ.` };
  const { seq, treeSize } = receipt.proof.events[0]!;
  return {
    outcome: 'kept',
    detail: `Pick ${uuid} was sealed as acknowledged: entry ${seq}, in the signed tree of ${treeSize} entries.`,
  };
}
