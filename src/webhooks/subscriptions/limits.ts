import { takeLockOn } from '../../platform/advisory-locks.ts';
import type { Transaction } from '../../platform/database.ts';

/** Active subscriptions of one e-mail and, outside chat platforms, to one target host. */
const maxPerEmail = 20;
const maxPerHost = 50;

/** What the limits are about. */
export interface Counted {
  ownerEmail: string;
  targetHost: string;
  /** The name of its chat platform, if it has one. */
  platform: string | null;
}

/**
 * Tells whether one more active subscription has room. Until the transaction ends nobody else may count the same e-mail or host, so the
 * limits hold under concurrent subscriptions. Disabled and revoked subscriptions take up no room.
 * @returns what is full and why, or undefined
 */
export async function full(
  transaction: Transaction,
  { ownerEmail, targetHost, platform }: Counted,
): Promise<{ path: string; message: string } | undefined> {
  const email = ownerEmail.toLowerCase();
  // Always in this order.
  await takeLockOn(transaction, 'subscriptionsOfEmail', email);
  if (platform === null) await takeLockOn(transaction, 'subscriptionsOfHost', targetHost);
  const { rows }: { rows: { of_email: number; of_host: number }[] } = await transaction.raw(
    `select
       (select count(*)::int from webhook_subscriptions where lower(owner_email) = :email and status = 'active') as of_email,
       (select count(*)::int from webhook_subscriptions where target_host = :targetHost and status = 'active') as of_host`,
    { email, targetHost },
  );
  const { of_email, of_host } = rows[0]!;
  if (of_email >= maxPerEmail)
    return { path: '/owner_email', message: `has ${maxPerEmail} active subscriptions already: revoke one` };
  if (platform === null && of_host >= maxPerHost)
    return {
      path: '/target_url',
      message: `is on a host that has ${maxPerHost} active subscriptions already`,
    };
  return undefined;
}
