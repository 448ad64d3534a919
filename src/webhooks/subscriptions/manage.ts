import type { Database } from '../../platform/database.ts';
import type { Fault } from '../../platform/schema.ts';
import { full } from './limits.ts';
import { makeSecret, type Sealer, secretPlace } from './secrets.ts';
import { logHead } from './subscribe.ts';
import type { SubscriptionRow } from './subscriptions.ts';

/**
 * Revokes a subscription for good; a second time changes nothing. A request that is under way may still arrive, and none after it.
 * @param now epoch milliseconds
 */
export async function revoke(database: Database, id: number, now: number): Promise<void> {
  await database('webhook_subscriptions')
    .where({ id })
    .whereNot('status', 'revoked')
    .update({
      status: 'revoked',
      revoked_at: new Date(now),
      // It is not needed any more.
      target_url_sealed: Buffer.alloc(0),
      ...endedLease(database),
    });
}

/** Where an enabled subscription continues: where it stopped, or with what comes next. */
export type From = 'cursor' | 'head';

/**
 * Makes a disabled subscription active again, with no failures. An active one stays as it is, except that `head` skips what waits.
 * @returns why it could not be, or undefined
 */
export function enable(
  database: Database,
  { id, owner_email: ownerEmail, target_host: targetHost, platform }: SubscriptionRow,
  from: From,
): Promise<Fault | undefined> {
  return database.transaction(async (transaction) => {
    const fault = await full(transaction, { ownerEmail, targetHost, platform, client: null });
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
        failed_cycle: null,
        ...(from === 'head' ? { cursor_seq: head, resting_seq: head } : {}),
        ...endedLease(transaction),
      });
    return undefined;
  });
}

/** The default, and the maximum, of the seconds that both secrets sign after a rotation. */
export const maxOverlapSeconds = 86_400;

/**
 * Gives a subscription a new secret.
 * @param row as it was when the caller proved to know its secret
 * @param overlapSeconds how long the secret before it signs as well; 0: no request that begins after this is signed with it
 * @param now epoch milliseconds
 * @returns the new secret, only here; undefined when the secret has been rotated meanwhile
 */
export async function rotate(
  database: Database,
  sealer: Sealer,
  { id, secret_sealed }: SubscriptionRow,
  overlapSeconds: number,
  now: number,
): Promise<string | undefined> {
  const secret = makeSecret();
  const changed = await database('webhook_subscriptions')
    .where({ id, secret_sealed })
    .update({
      secret_sealed: sealer.seal(secret, secretPlace(id)),
      previous_secret_sealed: overlapSeconds === 0 ? null : secret_sealed,
      overlap_seconds: overlapSeconds,
      rotated_at: new Date(now),
    });
  return changed === 1 ? secret : undefined;
}

/** Ends the lease of a delivery that is under way: it can commit nothing any more. */
function endedLease(database: Database) {
  return { generation: database.raw('generation + 1'), lease_until: null };
}
