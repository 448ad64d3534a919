import { LRUCache } from 'lru-cache';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { withTimeout } from '../../platform/timeout.ts';
import { type PostedPick, signAcknowledgement } from '../../proof/acknowledgement.ts';
import { ledgerOrigin, type OriginConfig, openSigner, type SigningConfig, storedOrigin } from './identity.ts';
import { SignerError } from './signer/remote-signer.ts';

/** Lifetime of the cached origin, in ms. The origin changes only while the service is stopped. */
const originTtlMs = 1000;

/** Longest wait for the signatures of one request, in ms: posters wait for them, whether the signer is silent or slow. */
const signingMs = 4_000;

/**
 * Creates a function that signs acknowledgements, the log's promises to seal stored picks. A remote signer signs one after another; after
 * its first failure the rest are not attempted.
 * @returns a function of committed picks and the time of the answer in epoch milliseconds. It returns, in order, the signed notes, or the
 * SignerError if the signer is unavailable
 */
export function createAcknowledge(
  database: Database,
  config: OriginConfig & SigningConfig,
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
    const signAll = async () => {
      const signer = await openSigner(origin, config);
      const sign = (pick: PostedPick) => signAcknowledgement({ origin, at, pick }, [signer]);
      if (config.signer === undefined) return void notes.push(...(await Promise.all(picks.map(sign))));
      for (const pick of picks) notes.push(await sign(pick));
    };
    try {
      await withTimeout(signAll(), signingMs, () => {
        throw new SignerError(`The signer did not sign all picks within ${signingMs / 1000} seconds.`);
      });
      return notes;
    } catch (error) {
      if (!(error instanceof SignerError)) throw error;
      return picks.map((_, index) => notes[index] ?? error);
    }
  };
}
