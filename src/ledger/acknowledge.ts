import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type PostedPick, signAcknowledgement } from '../proof/acknowledgement.ts';
import { keptOrigin, ledgerOrigin, type OriginConfig } from './origin.ts';
import { openSigner, type SigningConfig } from './signing-keys.ts';
import { readBodies } from './stored-events.ts';

export type AcknowledgeConfig = OriginConfig & SigningConfig;

/**
 * The log's signed promise to seal a stored pick: a signed note.
 * @param now epoch milliseconds: the instant of the answer
 * @throws SignerError when the signer is unavailable
 * @throws Error when there is no such pick
 */
export async function acknowledge(
  database: Database,
  config: AcknowledgeConfig,
  uuid: string,
  now: number,
): Promise<string> {
  const origin = (await keptOrigin(database)) ?? (await ledgerOrigin(database, config));
  const stored: { id: number } | undefined = await database('picks').where({ uuid }).first('id');
  const [event] = await readBodies(database, [{ kind: 'posted', subjectId: stored?.id ?? 0 }]);
  const signer = await openSigner(origin, config);
  return signAcknowledgement({ origin, at: iso(now), pick: event!.body as PostedPick }, [signer]);
}
