import { LRUCache } from 'lru-cache';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { type PostedPick, signAcknowledgement } from '../../proof/acknowledgement.ts';
import { ledgerOrigin, type OriginConfig, openSigner, type SigningConfig, storedOrigin } from './identity.ts';
import { SignerError } from './signer/remote-signer.ts';

export type AcknowledgeConfig = OriginConfig & SigningConfig;

/** Lifetime of the cached origin, in ms. The origin changes only while the service is stopped. */
const originTtlMs = 1000;

/**
 * Creates a function that signs acknowledgements, the log's promises to seal stored picks. A remote signer signs one after another; after
 * its first failure the rest are not attempted.
 * @returns a function of committed picks and the time of the answer in epoch milliseconds. It returns, in order, the signed notes, or the
 * SignerError if the signer is unavailable
 */
export function createAcknowledge(
  database: Database,
  config: AcknowledgeConfig,
): (picks: readonly PostedPick[], now: number) => Promise<(string | SignerError)[]> {
  const origins = new LRUCache<'log', string>({ max: 1, ttl: originTtlMs });
  const originOf = async () => {
    const origin =
      origins.get('log') ?? (await storedOrigin(database)) ?? (await ledgerOrigin(database, config));
    if (!origins.has('log')) origins.set('log', origin);
    return origin;
  };
  return async (picks, now) => {
    const origin = await originOf();
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
  };
}
