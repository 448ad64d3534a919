import { takeLockOn } from '../../../migrations/locks.ts';
import type { Transaction } from '../../platform/database.ts';
import type { Fault } from '../../platform/schema.ts';

/** Active and paused subscriptions per client address. */
export const maxPerClient = 100;

/**
 * Checks whether a client may add a subscription (docs/rules/webhooks.md#limits). There is no limit per e-mail address or target host,
 * because strangers could use it up. The check locks the client until the transaction ends, so the limit holds under concurrent
 * subscriptions.
 * @param client as `clientKey` writes it
 * @returns the fault if the limit is reached
 */
export async function full(transaction: Transaction, client: string): Promise<Fault | undefined> {
  await takeLockOn(transaction, 'subscriptionsOfClient', client);
  const { rows }: { rows: { count: number }[] } = await transaction.raw(
    `select count(*)::int from webhook_subscriptions where client = ? and status in ('active', 'paused')`,
    [client],
  );
  if (rows[0]!.count < maxPerClient) return undefined;
  return { path: '', message: `Your address already has ${maxPerClient} subscriptions: revoke one` };
}
