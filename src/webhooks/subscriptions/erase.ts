import type { Database } from '../../platform/database.ts';
import { retention } from './retention.ts';

/** Subscriptions erased in one run. */
const batch = 1000;

/**
 * Erases subscriptions that ended (revoked, or disabled and not enabled again) when their time is up (docs/rules/webhooks.md#what-is-stored),
 * the oldest first. The rows go, and with them the e-mail addresses, targets, client addresses, and secrets. Work that is left waits for the
 * next run.
 * @param now epoch milliseconds
 * @returns how many were erased
 */
export async function eraseSubscriptions(database: Database, now: number): Promise<number> {
  const ended = 'coalesce(revoked_at, disabled_at)';
  const { rowCount } = await database.raw(
    `delete from webhook_subscriptions where id in (
       select id from webhook_subscriptions where status <> 'active' and ${ended} < :before order by ${ended}
       limit ${batch} for update skip locked)`,
    { before: new Date(now - retention.subscription.forMs) },
  );
  return rowCount;
}
