import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type PostedPick, signAcknowledgement } from '../proof/acknowledgement.ts';
import { keptOrigin, ledgerOrigin, type OriginConfig } from './origin.ts';
import { SignerError } from './signer/remote-signer.ts';
import { openSigner, type SigningConfig } from './signing-keys.ts';
import { readBodies } from './stored-events.ts';

export type AcknowledgeConfig = OriginConfig & SigningConfig;

/**
 * The log's signed promises to seal stored picks, each a signed note. A remote signer is asked for one after the other; once it is
 * unavailable it is not asked for the rest.
 * @param now epoch milliseconds: the instant of the answer
 * @returns in order; the error where the signer is unavailable
 * @throws Error when a pick is not stored
 */
export async function acknowledge(
  database: Database,
  config: AcknowledgeConfig,
  pickIds: readonly number[],
  now: number,
): Promise<(string | SignerError)[]> {
  const names = pickIds.map((subjectId) => ({ kind: 'posted', subjectId }) as const);
  const [kept, events] = await Promise.all([keptOrigin(database), readBodies(database, names)]);
  const origin = kept ?? (await ledgerOrigin(database, config));
  const at = iso(now);
  const picks = events.map(({ body }) => body as PostedPick);
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
