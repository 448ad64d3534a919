import { Type } from 'typebox';
import { v4 } from 'uuid';
import { iso } from '../../platform/clock.ts';
import type { DeliveryClient } from '../client/client.ts';
import { type AllowedHosts, parseTarget, type Target } from '../guard/target.ts';
import { channelOf } from '../messages/messages.ts';
import { deliveryHeaders } from '../messages/signing.ts';
import { platformNamed } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import type { AttemptRecord } from '../subscriptions/attempts.ts';
import { type Sealer, signingSecrets, targetPlace } from '../subscriptions/secrets.ts';
import type { SubscriptionRow } from '../subscriptions/subscriptions.ts';

/** The body of a ping. */
export const pingSchema = Type.Object({
  event: Type.Literal('ping'),
  webhook_id: Type.String({ description: "The subscription's id." }),
  delivered_at: Type.String({ format: 'date-time' }),
});

export interface PingDeps {
  client: Pick<DeliveryClient, 'post'>;
  sealer: Sealer;
  allowed: AllowedHosts;
}

/**
 * Sends a ping now, signed like any delivery; to a chat channel, a message. It neither counts as a failure nor clears any.
 * @param now epoch milliseconds
 * @throws Error when the subscription's secrets cannot be opened
 */
export async function ping(
  { client, sealer, allowed }: PingDeps,
  row: SubscriptionRow,
  now: number,
): Promise<AttemptRecord> {
  const attempt = {
    subscriptionId: row.id,
    at: now,
    deliveryId: `ping_${row.id}_${v4()}`,
    event: 'ping',
    pickUuid: null,
    picks: 0,
  } as const;
  const parsed = parseTarget(sealer.open(row.target_url_sealed, targetPlace(row.id)), allowed);
  // It was granted once: the rules or the allowed hosts have changed since.
  if (!parsed.ok) return { ...attempt, status: null, error: 'refused', durationMs: 0 };
  const { target, body, headers } =
    row.platform === null
      ? signedPing(parsed.target, row, attempt.deliveryId, sealer, now)
      : channelPing(parsed.target, platformNamed(row.platform));
  const { status, durationMs, error } = await client.post(target, body, headers);
  return { ...attempt, status, error, durationMs };
}

function signedPing(target: Target, row: SubscriptionRow, deliveryId: string, sealer: Sealer, now: number) {
  const body = JSON.stringify({ event: 'ping', webhook_id: String(row.id), delivered_at: iso(now) });
  const timestamp = Math.floor(now / 1000);
  const secrets = signingSecrets(sealer, row, now);
  return {
    target,
    body,
    headers: deliveryHeaders({ event: 'ping', deliveryId, timestamp, body, ...secrets }),
  };
}

/** A channel is sent a message for people to read. */
function channelPing(target: Target, platform: Platform) {
  const card = {
    title: 'Public Picks',
    text: 'A test message: this channel is subscribed to picks.',
  };
  return {
    target: channelOf(target, platform),
    body: platform.encode([card]).body,
    headers: { 'Content-Type': 'application/json' },
  };
}
