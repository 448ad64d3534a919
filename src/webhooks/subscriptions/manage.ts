import type { Database } from '../../platform/database.ts';
import type { Fault } from '../../platform/schema.ts';
import { full } from './limits.ts';
import { makeSecret, type Sealer, secretPlace } from './secrets.ts';
import { logHead } from './subscribe.ts';
import type { SubscriptionRow } from './subscriptions.ts';

/**
 * Revokes a subscription for good; doing it again changes nothing. A delivery that is on its way may still arrive, and nothing after it.
 * @param now epoch milliseconds
 */
export async function revoke(database: Database, id: number, now: number): Promise<void> {
  await database('webhook_subscriptions')
    .where({ id })
    .whereNot('status', 'revoked')
    .update({
      status: 'revoked',
      revoked_at: new Date(now),
      // Nobody needs the address any more.
      target_url_sealed: Buffer.alloc(0),
      ...fencedOff(database),
    });
}

/** Where an enabled subscription goes on: where it stopped, or with what comes next. */
export type From = 'cursor' | 'head';

/**
 * Sets a disabled subscription to work again, without strikes. An active one is left as it is, save that `head` passes over what waits.
 * @returns why it could not be, or undefined
 */
export function enable(
  database: Database,
  { id, owner_email: ownerEmail, target_host: targetHost, platform }: SubscriptionRow,
  from: From,
): Promise<Fault | undefined> {
  return database.transaction(async (transaction) => {
    const fault = await full(transaction, { ownerEmail, targetHost, platform });
    const [before]: Pick<SubscriptionRow, 'status'>[] = await transaction('webhook_subscriptions')
      .where({ id })
      .forUpdate()
      .select('status');
    if (before?.status === 'revoked')
      return { path: '', message: 'This subscription is revoked: subscribe again' };
    if (before?.status === 'active' && from === 'cursor') return undefined;
    if (before?.status === 'disabled' && fault !== undefined) return fault;
    const head = transaction.raw(`(${logHead})`);
    await transaction('webhook_subscriptions')
      .where({ id })
      .update({
        status: 'active',
        consecutive_failures: 0,
        disabled_at: null,
        retry_at: null,
        struck_cycle: null,
        ...(from === 'head' ? { cursor_seq: head, resting_seq: head } : {}),
        ...fencedOff(transaction),
      });
    return undefined;
  });
}

/**
 * Gives a subscription a new secret; the one before it goes on signing for a day.
 * @param row as it was when the caller showed its secret
 * @param now epoch milliseconds
 * @returns the new secret, told this once; undefined where the secret has been changed meanwhile
 */
export async function rotate(
  database: Database,
  sealer: Sealer,
  { id, secret_sealed }: SubscriptionRow,
  now: number,
): Promise<string | undefined> {
  const secret = makeSecret();
  const changed = await database('webhook_subscriptions')
    .where({ id, secret_sealed })
    .update({
      secret_sealed: sealer.seal(secret, secretPlace(id)),
      previous_secret_sealed: secret_sealed,
      rotated_at: new Date(now),
    });
  return changed === 1 ? secret : undefined;
}

/** Whoever delivers at this moment cannot commit what came of it any more. */
function fencedOff(database: Database) {
  return { generation: database.raw('generation + 1'), lease_until: null };
}
