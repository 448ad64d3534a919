import { takeLockOn } from '../../../migrations/locks.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import type { Fault } from '../../platform/schema.ts';

/** Proven subscriptions, active or paused, of one e-mail and, outside chat platforms, to one target host. */
const maxPerEmail = 20;
const maxPerHost = 50;

/** Unproven subscriptions of one client, in any status. */
const maxUnproven = 10;

/** What the limits count by. */
export interface Counted {
  ownerEmail: string;
  targetHost: string;
  /** The name of its chat platform, if it has one. */
  platform: string | null;
  /** The client that a new, unproven subscription counts by; null where none is added. */
  client: string | null;
}

/**
 * Tells whether a limit leaves no room for one more subscription (docs/rules/webhooks.md#limits). Per e-mail and
 * host only proven subscriptions count, and a client's own unproven ones, so that nobody can use up another's room. Until the
 * transaction ends nobody else can count the same client, e-mail or host, so the limits hold under concurrent subscriptions.
 * @returns what is full and why, or undefined
 */
export async function full(
  transaction: Transaction,
  { ownerEmail, targetHost, platform, client }: Counted,
): Promise<Fault | undefined> {
  const email = ownerEmail.toLowerCase();
  // Always in this order.
  if (client !== null) await takeLockOn(transaction, 'subscriptionsOfClient', client);
  await takeLockOn(transaction, 'subscriptionsOfEmail', email);
  if (platform === null) await takeLockOn(transaction, 'subscriptionsOfHost', targetHost);
  const counts = `status in ('active', 'paused') and (proven_at is not null or client = :client::text)`;
  const { rows }: { rows: { ofEmail: number; ofHost: number; unproven: number }[] } = await transaction.raw(
    `select
       (select count(*)::int from webhook_subscriptions where lower(owner_email) = :email and ${counts}) as "ofEmail",
       (select count(*)::int from webhook_subscriptions where target_host = :targetHost and ${counts}) as "ofHost",
       (select count(*)::int from webhook_subscriptions where client = :client::text and proven_at is null) as unproven`,
    { email, targetHost, client },
  );
  const { ofEmail, ofHost, unproven } = rows[0]!;
  if (ofEmail >= maxPerEmail)
    return { path: '/owner_email', message: `has ${maxPerEmail} subscriptions already: revoke one` };
  if (platform === null && ofHost >= maxPerHost)
    return {
      path: '/target_url',
      message: `is on a host that has ${maxPerHost} subscriptions already`,
    };
  if (unproven >= maxUnproven)
    return {
      path: '',
      message: `${maxUnproven} subscriptions from your address wait for their receivers to answer webhook.verify with 2xx: let one answer, or wait a day`,
    };
  return undefined;
}

/**
 * Marks a subscription as proven, because its receiver answered a signed request with 2xx or its chat platform took a message. From then
 * on it counts towards the limits per e-mail and host, and its client address is erased. Where a limit is reached it stays unproven.
 * @param now epoch milliseconds
 */
export async function prove(database: Database, id: number, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const unproven = () => transaction('webhook_subscriptions').where({ id }).whereNull('proven_at');
    const [row]: { owner_email: string; target_host: string; platform: string | null }[] =
      await unproven().select('owner_email', 'target_host', 'platform');
    if (row === undefined) return;
    const { owner_email: ownerEmail, target_host: targetHost, platform } = row;
    if ((await full(transaction, { ownerEmail, targetHost, platform, client: null })) !== undefined) return;
    await unproven().update({ proven_at: new Date(now), client: null, verify_at: null });
  });
}
