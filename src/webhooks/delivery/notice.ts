import { v4 } from 'uuid';
import { iso } from '../../platform/clock.ts';
import { Type } from '../../platform/type.ts';
import type { Attempt, DeliveryClient } from '../client/client.ts';
import { type AllowedHosts, parseTarget, type Target } from '../guard/target.ts';
import { channelOf, deliveryHeaders } from '../messages/messages.ts';
import { platformNamed } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import type { AttemptRecord } from '../subscriptions/attempts.ts';
import { type Sealer, signingSecrets, targetPlace } from '../subscriptions/secrets.ts';
import type { SubscriptionRow } from '../subscriptions/subscriptions.ts';

/** An event about the subscription itself, not about a pick. */
export type Notice = 'ping' | 'webhook.verify';

const schemaOf = <N extends Notice>(event: N) =>
  Type.Object({
    event: Type.Literal(event),
    webhook_id: Type.String({ description: "The subscription's id." }),
    delivered_at: Type.String({ format: 'date-time' }),
  });

/** The bodies of notices, for documents and tests. */
export const noticeSchemas = {
  ping: schemaOf('ping'),
  'webhook.verify': schemaOf('webhook.verify'),
} as const satisfies Record<Notice, unknown>;

/** What a chat channel is sent in place of the event. */
const channelTexts: Record<Notice, string> = {
  ping: 'A test message: this channel is subscribed to picks.',
  'webhook.verify': 'This channel is subscribed to picks.',
};

export interface NoticeDeps {
  client: Pick<DeliveryClient, 'post'>;
  sealer: Sealer;
  allowed: AllowedHosts;
}

/**
 * Sends a notice now, signed like any delivery; to a chat channel, a message. It neither counts as a failure nor clears any.
 * @param now epoch milliseconds
 * @returns what came of it, and the record to store
 * @throws Error when the subscription's secrets cannot be opened
 */
export async function sendNotice(
  { client, sealer, allowed }: NoticeDeps,
  notice: Notice,
  row: SubscriptionRow,
  now: number,
): Promise<{ attempt: Attempt; record: AttemptRecord }> {
  const deliveryId = notice === 'ping' ? `ping_${row.id}_${v4()}` : `verify_${row.id}`;
  const send = (): Promise<Attempt> => {
    const parsed = parseTarget(sealer.open(row.target_url_sealed, targetPlace(row.id)), allowed);
    // It was accepted once: the rules or the allowed hosts have changed since.
    if (!parsed.ok) return Promise.resolve(refused);
    const { target, body, headers } =
      row.platform === null
        ? signed(parsed.target, notice, row, deliveryId, sealer, now)
        : message(parsed.target, notice, platformNamed(row.platform));
    return client.post(target, body, headers);
  };
  const attempt = await send();
  const { status, error, durationMs } = attempt;
  const about = { subscriptionId: row.id, at: now, deliveryId, event: notice, pickUuid: null, picks: 0 };
  return { attempt, record: { ...about, status, error, durationMs } };
}

const refused: Attempt = {
  status: null,
  error: 'refused',
  durationMs: 0,
  retryAfterMs: null,
  rateLimitMs: null,
  ours: false,
};

function signed(
  target: Target,
  event: Notice,
  row: SubscriptionRow,
  deliveryId: string,
  sealer: Sealer,
  now: number,
) {
  const body = JSON.stringify({ event, webhook_id: String(row.id), delivered_at: iso(now) });
  const timestamp = Math.floor(now / 1000);
  const secrets = signingSecrets(sealer, row, now);
  return { target, body, headers: deliveryHeaders({ event, deliveryId, timestamp, body, ...secrets }) };
}

function message(target: Target, notice: Notice, platform: Platform) {
  return {
    target: channelOf(target, platform),
    body: platform.encode([{ title: 'Public Picks', text: channelTexts[notice] }]).body,
    headers: { 'Content-Type': 'application/json' },
  };
}
