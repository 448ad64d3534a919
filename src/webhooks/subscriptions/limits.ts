import { takeLockOn } from '../../platform/advisory-locks.ts';
import type { Transaction } from '../../platform/database.ts';

/** Most active subscriptions of one e-mail and, outside chat platforms, to one target host (decisions, section 5). */
const mostPerEmail = 20;
const mostPerHost = 50;

/** What the limits are about. */
export interface Counted {
  ownerEmail: string;
  targetHost: string;
  chat: boolean;
}

/**
 * Tells whether one more active subscription has room. Until the transaction ends nobody else may count the same e-mail or host, so the
 * limits hold whoever else subscribes meanwhile. Disabled and revoked subscriptions take up no room.
 * @returns what is full and why, or undefined
 */
export async function full(
  transaction: Transaction,
  { ownerEmail, targetHost, chat }: Counted,
): Promise<{ path: string; message: string } | undefined> {
  const email = ownerEmail.toLowerCase();
  // Always in this order.
  await takeLockOn(transaction, 'subscriptionsOfEmail', email);
  if (!chat) await takeLockOn(transaction, 'subscriptionsOfHost', targetHost);
  const { rows }: { rows: { of_email: number; of_host: number }[] } = await transaction.raw(
    `select
       (select count(*)::int from webhook_subscriptions where lower(owner_email) = :email and status = 'active') as of_email,
       (select count(*)::int from webhook_subscriptions where target_host = :targetHost and status = 'active') as of_host`,
    { email, targetHost },
  );
  const { of_email, of_host } = rows[0]!;
  if (of_email >= mostPerEmail)
    return { path: '/owner_email', message: `has ${mostPerEmail} active subscriptions already: revoke one` };
  if (!chat && of_host >= mostPerHost)
    return {
      path: '/target_url',
      message: `is on a host that has ${mostPerHost} active subscriptions already`,
    };
  return undefined;
}
