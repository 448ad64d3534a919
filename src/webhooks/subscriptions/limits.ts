import { takeLockOn } from '../../../migrations/locks.ts';
import type { Transaction } from '../../platform/database.ts';
import type { Fault } from '../../platform/schema.ts';

/** Subscriptions of one client address that are active or paused. */
const maxPerClient = 100;

/**
 * Tells whether a client has room for one more subscription (docs/rules/webhooks.md#limits). There is no limit per e-mail or target host,
 * because strangers could use it up. Until the transaction ends nobody else can count the same client, so the limit holds under concurrent
 * subscriptions.
 * @param client as `clientKey` writes it
 * @returns what is full and why, or undefined
 */
export async function full(transaction: Transaction, client: string): Promise<Fault | undefined> {
  await takeLockOn(transaction, 'subscriptionsOfClient', client);
  const { rows }: { rows: { count: number }[] } = await transaction.raw(
    `select count(*)::int from webhook_subscriptions where client = ? and status in ('active', 'paused')`,
    [client],
  );
  if (rows[0]!.count < maxPerClient) return undefined;
  return { path: '', message: `Your address has ${maxPerClient} subscriptions already: revoke one` };
}
