import { createHmac } from 'node:crypto';
import { type AllowedHosts, parseTarget, type Target } from '../guard/target.ts';
import { platformNamed } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import type { AttemptRecord } from '../subscriptions/attempts.ts';
import { type SealedSecrets, type Sealer, signingSecrets, targetPlace } from '../subscriptions/secrets.ts';
import type { AnnouncedEvent } from './events.ts';
import { cardOf, deliveryId, payloadOf } from './payloads.ts';

/** What one request carries. */
export interface Message {
  body: string;
  headers: Record<string, string>;
  deliveryId: string;
  event: AttemptRecord['event'];
  /** The pick of its only event; null where there are several. */
  pickUuid: string | null;
  /** How many events it holds, and the last one's `seq`. */
  events: number;
  lastSeq: number;
}

/** A subscription's receiver or channel, with its address and secrets opened once. */
export interface Recipient {
  /** Undefined where the guard refuses the address: its rules or the allowed hosts have changed. */
  target: Target | undefined;
  /**
   * Makes the next request.
   * @param events at least one, in order; a request holds as many of the first as it can
   * @param now epoch milliseconds
   */
  write(events: readonly AnnouncedEvent[], now: number): Message;
}

/** The columns of a subscription that its messages depend on. */
export interface Addressed extends SealedSecrets {
  /** The name of the chat platform whose channel the target is. */
  platform: string | null;
  target_url_sealed: Uint8Array;
}

/** Makes the requests of deliveries. */
export interface Messages {
  /**
   * @param now epoch milliseconds
   * @throws Error when what is sealed cannot be opened
   */
  to(subscription: Addressed, now: number): Recipient;
}

/** @param options `baseUrl`: permalinks begin with it */
export function createMessages({
  sealer,
  allowed,
  baseUrl,
}: {
  sealer: Sealer;
  allowed: AllowedHosts;
  baseUrl: string;
}): Messages {
  return {
    to(subscription, now) {
      const { id, platform: name } = subscription;
      const verdict = parseTarget(sealer.open(subscription.target_url_sealed, targetPlace(id)), allowed);
      const target = verdict.ok ? verdict.target : undefined;
      if (name !== null) {
        const platform = platformNamed(name);
        return {
          target: target && channelOf(target, platform),
          write: (events, at) => toChannel(platform, id, events, at, baseUrl),
        };
      }
      const secrets = signingSecrets(sealer, subscription, now);
      return { target, write: ([event], at) => toReceiver(id, event!, at, baseUrl, secrets) };
    },
  };
}

function toReceiver(
  subscriptionId: number,
  event: AnnouncedEvent,
  now: number,
  baseUrl: string,
  secrets: ReturnType<typeof signingSecrets>,
): Message {
  const { seq, uuid } = event;
  const payload = payloadOf(event, { subscriptionId, now, baseUrl });
  const body = JSON.stringify(payload);
  const named = { event: payload.event, deliveryId: deliveryId(subscriptionId, seq) };
  return {
    ...named,
    body,
    headers: deliveryHeaders({ ...named, timestamp: Math.floor(now / 1000), body, ...secrets }),
    pickUuid: uuid,
    events: 1,
    lastSeq: seq,
  };
}

/** What one attempt of a delivery is signed over and with. */
export interface Signed {
  /** `pick.posted`, `pick.settled`, or `ping`. */
  event: string;
  /** The same for every attempt of one event to one subscription; without a full stop, as Standard Webhooks asks. */
  deliveryId: string;
  /** When this attempt is made, in whole seconds since the epoch. */
  timestamp: number;
  /** Exactly as it is sent. */
  body: string;
  /** The subscription's secret. Its 64 hex characters are the key. */
  secret: string;
  /** The secret before a rotation, during its overlap. */
  previousSecret?: string | undefined;
}

/**
 * The headers of a delivery to anything but a chat platform (docs/rules/webhooks.md; Standard Webhooks 1.0).
 * `X-Service-Signature` is always made with the current secret; `webhook-signature` carries both during the overlap of a rotation.
 */
export function deliveryHeaders(signed: Signed): Record<string, string> {
  const { event, deliveryId, timestamp, body, secret, previousSecret } = signed;
  const signatures = [secret, previousSecret]
    .filter((key) => key !== undefined)
    .map((key) => {
      const signature = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.`).update(body);
      return `v1,${signature.digest('base64')}`;
    });
  const signature = createHmac('sha256', secret).update(body);
  return {
    'Content-Type': 'application/json',
    'X-Service-Event': event,
    'X-Service-Signature': `sha256=${signature.digest('hex')}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

/** A target as its platform takes messages. */
export function channelOf(target: Target, platform: Platform): Target {
  return { ...target, platform, url: platform.endpoint?.(target.url) ?? target.url };
}

/** A channel's address is its secret: nothing is signed, and there are no event headers. */
function toChannel(
  platform: Platform,
  subscriptionId: number,
  events: readonly AnnouncedEvent[],
  now: number,
  baseUrl: string,
): Message {
  const cards = events.map((event) => cardOf(payloadOf(event, { subscriptionId, now, baseUrl })));
  const { body, cards: count } = platform.encode(cards);
  return {
    body,
    headers: { 'Content-Type': 'application/json' },
    deliveryId: deliveryId(subscriptionId, events[0]!.seq),
    event: 'message',
    pickUuid: count === 1 ? events[0]!.uuid : null,
    events: count,
    lastSeq: events[count - 1]!.seq,
  };
}
