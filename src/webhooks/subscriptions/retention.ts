import type { Database } from '../../platform/database.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A kind of personal data, or close to it, that the service stores. */
export interface Retained {
  what: string;
  why: string;
  /** The store that holds it, and so who can read it. */
  where: string;
  /** Retention in ms; null: as long as the operator keeps it. */
  forMs: number | null;
  from: string;
}

/** All personal data that the service stores. Jobs and limiters use these periods, and `/privacy` shows them. */
export const retention = {
  subscription: {
    what: 'Webhook subscription: owner’s e-mail address, receiver URL, signing secret, and the IP address that subscribed',
    why: 'To deliver picks, to let the owner list, change, and delete the subscription, and to limit subscriptions per IP address. We send nothing to the e-mail address, and erase the IP address when the subscription is deleted.',
    where: 'Database; receiver URL and secret encrypted',
    forMs: 30 * day,
    from: 'the subscription is deleted or disabled',
  },
  device: {
    what: 'Notifications on a device: the endpoint and keys that its browser made, what it follows, and the IP address that subscribed',
    why: 'To send the notifications, and to limit them per IP address. Endpoint and keys are deleted at once when you stop them, or when the push service says that the device is gone.',
    where: 'Database; endpoint and keys encrypted',
    forMs: 30 * day,
    from: 'its push service refuses five messages in a row',
  },
  attempt: {
    what: 'Delivery attempt: time, event, pick, status, duration, and kind of error, but not the receiver’s response',
    why: 'To show the owner of a subscription what was delivered.',
    where: 'Database',
    forMs: 30 * day,
    from: 'the attempt',
  },
  upload: {
    what: 'Sheet of bets that the operator uploads, with the names in it',
    why: 'To show the operator the picks in it before they are imported. Imported picks are public.',
    where: 'Database',
    forMs: hour,
    from: 'the upload',
  },
  request: {
    what: 'IP address of a client that subscribed, or sent a capper’s signed pick or key, with a count',
    why: 'To limit what each may send in an hour.',
    where: 'Redis',
    forMs: hour,
    from: 'the first request',
  },
  log: {
    what: 'Request log: time, method, path, status, duration, and a random ID, but no IP addresses, e-mail addresses, or secrets',
    why: 'To find and fix problems.',
    where: 'Log files',
    forMs: null,
    from: '',
  },
} as const satisfies Record<string, Retained>;

const batch = 1000;

/**
 * Erases ended subscriptions (revoked, or disabled and not enabled again) after their retention (docs/rules/webhooks.md#what-is-stored),
 * oldest first, and those that a device stopped at once. E-mail addresses, targets, client addresses, and secrets go with the rows. The rest waits for the next run.
 * @returns the number of erased subscriptions
 */
export async function eraseSubscriptions(database: Database, now: EpochMs): Promise<number> {
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
