import type { Database } from '../../platform/database.ts';
import { retention } from './retention.ts';

/** Subscriptions erased in one run. */
const batch = 1000;

/** What a run erased. */
export type Erased = {
  /** Subscriptions that ended: revoked, or disabled and not enabled again. */
  ended: number;
  /** Subscriptions that never proved themselves. */
  unproven: number;
};

/**
 * Erases subscriptions whose time is up (docs/rules/webhooks.md#what-is-stored), the oldest first. The rows go, and with them the
 * e-mail addresses, targets, client addresses and secrets. Work that is left waits for the next run.
 * @param now epoch milliseconds
 */
export async function eraseSubscriptions(database: Database, now: number): Promise<Erased> {
  const ended = 'coalesce(revoked_at, disabled_at)';
  return {
    ended: await erase(
      database,
      `status <> 'active' and ${ended} < :before order by ${ended}`,
      now - retention.subscription.forMs,
    ),
    unproven: await erase(
      database,
      'proven_at is null and created_at < :before order by created_at',
      now - retention.unproven.forMs,
    ),
  };
}

async function erase(database: Database, which: string, before: number): Promise<number> {
  const { rowCount } = await database.raw(
    `delete from webhook_subscriptions where id in (
       select id from webhook_subscriptions where ${which} limit ${batch} for update skip locked)`,
    { before: new Date(before) },
  );
  return rowCount;
}
