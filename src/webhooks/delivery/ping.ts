import { v4 } from 'uuid';
import { iso } from '../../platform/clock.ts';
import { Type } from '../../platform/type.ts';
import type { Attempt, DeliveryClient } from '../client/client.ts';
import { type AllowedHosts, parseTarget, type Target } from '../guard/target.ts';
import { channelOf, deliveryHeaders } from '../messages/messages.ts';
import { platformNamed } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import type { AttemptRecord } from '../subscriptions/attempts.ts';
import { type Sealer, signingSecrets, targetContext } from '../subscriptions/secrets.ts';
import type { SubscriptionRow } from '../subscriptions/subscriptions.ts';

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
 * Sends a ping now, signed like a delivery; to a chat channel, a message. It neither counts as a failure nor clears any.
 * @param now epoch milliseconds
 * @returns the record to store
 * @throws Error if the subscription's secrets cannot be opened
 */
export async function sendPing(
  { client, sealer, allowed }: PingDeps,
  row: SubscriptionRow,
  now: number,
): Promise<AttemptRecord> {
  const deliveryId = `ping_${row.id}_${v4()}`;
  const send = (): Promise<Attempt> => {
    const parsed = parseTarget(sealer.open(row.target_url_sealed, targetContext(row.id)), allowed);
    // Accepted once, but the rules or allowed hosts have changed since.
    if (!parsed.ok) return Promise.resolve(refused);
    const { target, body, headers } =
      row.platform === null
        ? signed(parsed.target, row, deliveryId, sealer, now)
        : message(parsed.target, platformNamed(row.platform));
    return client.post(target, body, headers);
  };
  const { status, error, durationMs } = await send();
  const about = {
    subscriptionId: row.id,
    at: now,
    deliveryId,
    event: 'ping',
    pickUuid: null,
    picks: 0,
  } as const;
  return { ...about, status, error, durationMs };
}

const refused: Attempt = {
  status: null,
  error: 'refused',
  durationMs: 0,
  retryAfterMs: null,
  rateLimitMs: null,
  ours: false,
};

function signed(target: Target, row: SubscriptionRow, deliveryId: string, sealer: Sealer, now: number) {
  const event = 'ping';
  const body = JSON.stringify({ event, webhook_id: String(row.id), delivered_at: iso(now) });
  const timestamp = Math.floor(now / 1000);
  const secrets = signingSecrets(sealer, row, now);
  return { target, body, headers: deliveryHeaders({ event, deliveryId, timestamp, body, ...secrets }) };
}

function message(target: Target, platform: Platform) {
  return {
    target: channelOf(target, platform),
    body: platform.encode([
      { title: 'Public Picks', text: 'A test message: this channel is subscribed to picks.' },
    ]).body,
    headers: { 'Content-Type': 'application/json' },
  };
}
