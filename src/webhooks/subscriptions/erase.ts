import type { Database } from '../../platform/database.ts';
import { retention } from './retention.ts';

/** Subscriptions erased per run. */
const batch = 1000;

/**
 * Erases ended subscriptions (revoked, or disabled and not enabled again) after their retention (docs/rules/webhooks.md#what-is-stored),
 * oldest first, and those that a device stopped at once. E-mail addresses, targets, client addresses, and secrets go with the rows. The rest waits for the next run.
 * @param now epoch milliseconds
 * @returns the number of erased subscriptions
 */
export async function eraseSubscriptions(database: Database, now: number): Promise<number> {
  const ended = 'coalesce(revoked_at, disabled_at)';
  const { rowCount } = await database.raw(
    `delete from webhook_subscriptions where id in (
       select id from webhook_subscriptions where status <> 'active' and (${ended} < :before or platform = 'push' and status = 'revoked')
       order by ${ended}
       limit ${batch} for update skip locked)`,
    { before: new Date(now - retention.subscription.forMs) },
  );
  return rowCount;
}
