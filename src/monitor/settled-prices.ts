import type { SealedReceipt } from '../proof/receipt.ts';
import type { Sha256 } from '../proof/sha256.ts';
import type { VerifierKey } from '../proof/verifier-key.ts';
import { verifyReceipt } from '../proof/verify-receipt.ts';
import type { LogClient } from './log-client.ts';
import type { PickFinding } from './picks.ts';
import { followersText, judgeReceiptPrices, type LoggedPrices, type SettledPrices } from './prices.ts';
import { isInTree, type SeenTree } from './promises.ts';

/** Receipts read in a poll, chosen at random, so that the log does not know which. */
const receiptsAPoll = 16;

/** Time for which the service may not show followers' prices of a settled pick, in milliseconds. */
const shownWithinMs = 3_600_000;

/**
 * Judges the prices of settled picks: the followers' prices of those whose rows the log publishes, and the deciding prices in a sample of
 * the receipts of others.
 * @param prices is modified: a judged pick is not judged again
 * @param now the monitor's clock, in epoch milliseconds
 */
export async function judgeSettled(
  log: LogClient,
  prices: LoggedPrices,
  known: { keys: readonly VerifierKey[]; tree: SeenTree },
  now: number,
  sha256: Sha256,
): Promise<PickFinding[]> {
  const findings: PickFinding[] = [];
  const report = (uuid: string, { seq }: SettledPrices, fault: string) =>
    findings.push({ kind: 'figures', seq, message: `pick ${uuid}: ${fault}` });
  const [hidden, open] = [true, false].map((isHidden) =>
    Object.entries(prices.settled).filter(([, { followers }]) => (followers === undefined) === isHidden),
  ) as [[string, SettledPrices][], [string, SettledPrices][]];
  const sample = hidden
    .map((each) => ({ each, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, receiptsAPoll);
  for (const { each } of sample) {
    const fault = await receiptFault(log, each[0], known, sha256);
    if (fault !== null) report(...each, fault);
  }
  for (const [uuid] of hidden) delete prices.settled[uuid];
  for (const [uuid, settled] of open) {
    const shown = await log.followers(uuid);
    if (shown == null && now - settled.at <= shownWithinMs) continue;
    delete prices.settled[uuid];
    const text = shown == null ? 'none at all' : followersText(shown);
    if (!settled.followers!.includes(text))
      report(uuid, settled, `the prices of the log give followers ${settled.followers![0]}, not ${text}`);
  }
  return findings;
}

async function receiptFault(
  log: LogClient,
  uuid: string,
  { keys, tree }: { keys: readonly VerifierKey[]; tree: SeenTree },
  sha256: Sha256,
): Promise<string | null> {
  const receipt = (await log.receipt(uuid)) as SealedReceipt;
  const { proof, failed } = await verifyReceipt(receipt, { keys }, sha256);
  if (proof === 'failed') return `its receipt does not verify: ${failed!.detail}`;
  if (proof === 'unhashed' || receipt.settlement === null) return 'its receipt does not have its settlement';
  if (receipt.pickUuid !== uuid) return 'its receipt is that of another pick';
  if ((await isInTree(log, receipt, tree, sha256)) === false)
    return 'its receipt belongs to another tree than the one served here';
  try {
    judgeReceiptPrices(receipt);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
