import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type PostedPick, signAcknowledgement } from '../proof/acknowledgement.ts';
import { keptOrigin, ledgerOrigin, type OriginConfig } from './origin.ts';
import { SignerError } from './signer/remote-signer.ts';
import { openSigner, type SigningConfig } from './signing-keys.ts';

export type AcknowledgeConfig = OriginConfig & SigningConfig;

/**
 * The log's signed promises to seal stored picks, each a signed note. A remote signer is asked for one after the other; once it is
 * unavailable it is not asked for the rest.
 * @param picks as they are stored, and committed
 * @param now epoch milliseconds: the instant of the answer
 * @returns in order; the error where the signer is unavailable
 */
export async function acknowledge(
  database: Database,
  config: AcknowledgeConfig,
  picks: readonly PostedPick[],
  now: number,
): Promise<(string | SignerError)[]> {
  const origin = (await keptOrigin(database)) ?? (await ledgerOrigin(database, config));
  const at = iso(now);
  const notes: (string | SignerError)[] = [];
  try {
    const signer = await openSigner(origin, config);
    const sign = (pick: PostedPick) => signAcknowledgement({ origin, at, pick }, [signer]);
    if (config.signer === undefined) return await Promise.all(picks.map(sign));
    for (const pick of picks) notes.push(await sign(pick));
  } catch (error) {
    if (!(error instanceof SignerError)) throw error;
    while (notes.length < picks.length) notes.push(error);
  }
  return notes;
}
