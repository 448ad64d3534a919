import { LRUCache } from 'lru-cache';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { type PostedPick, signAcknowledgement } from '../../proof/acknowledgement.ts';
import { keptOrigin, ledgerOrigin, type OriginConfig, openSigner, type SigningConfig } from './identity.ts';
import { SignerError } from './signer/remote-signer.ts';

export type AcknowledgeConfig = OriginConfig & SigningConfig;

/** How long the log's name is recalled, in milliseconds: it changes only while the service is stopped. */
const recallMs = 1000;

/**
 * Makes the log's signed promises to seal stored picks, each a signed note. A remote signer is asked for one after the other; once it is
 * unavailable it is not asked for the rest.
 * @returns a function of picks as they are stored, and committed, and of the instant of the answer in epoch milliseconds. It gives the
 *   notes in order; the error where the signer is unavailable
 */
export function createAcknowledge(
  database: Database,
  config: AcknowledgeConfig,
): (picks: readonly PostedPick[], now: number) => Promise<(string | SignerError)[]> {
  const origins = new LRUCache<'log', string>({ max: 1, ttl: recallMs });
  const originOf = async () => {
    const origin =
      origins.get('log') ?? (await keptOrigin(database)) ?? (await ledgerOrigin(database, config));
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
