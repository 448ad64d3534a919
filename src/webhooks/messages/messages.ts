import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type AllowedHosts, parseTarget, type Target } from '../guard/target.ts';
import { platformNamed } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import type { AttemptRecord } from '../subscriptions/attempts.ts';
import { type SealedSecrets, type Sealer, signingSecrets, targetPlace } from '../subscriptions/secrets.ts';
import type { AnnouncedEvent } from './events.ts';
import { type Announcement, announcementOf, bodyOf, cardOf, deliveryId, payloadOf } from './payloads.ts';

/** What one request carries. */
export interface Message {
  body: string | Uint8Array;
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
  // Many subscriptions are sent the same events at about the same time, so what they share is made once.
  const announcements = new WeakMap<AnnouncedEvent, Announcement>();
  const announced = (event: AnnouncedEvent): Announcement => {
    const known = announcements.get(event);
    if (known !== undefined) return known;
    const made = announcementOf(event, baseUrl);
    announcements.set(event, made);
    return made;
  };
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
      const keys = keysOf(signingSecrets(sealer, subscription, now));
      return { target, write: ([event], at) => toReceiver(id, event!, announced(event!), at, keys) };
    },
  };
}

interface Keys {
  secret: KeyObject;
  previousSecret: KeyObject | undefined;
}

function keysOf({ secret, previousSecret }: ReturnType<typeof signingSecrets>): Keys {
  const keyOf = (text: string) => createSecretKey(Buffer.from(text));
  return {
    secret: keyOf(secret),
    previousSecret: previousSecret === undefined ? undefined : keyOf(previousSecret),
  };
}

function toReceiver(
  subscriptionId: number,
  { seq, uuid }: AnnouncedEvent,
  announcement: Announcement,
  now: number,
  keys: Keys,
): Message {
  // Signed twice and sent: made into bytes once.
  const body = Buffer.from(bodyOf(announcement, seq, { subscriptionId, now }));
  const named = { event: announcement.event, deliveryId: deliveryId(subscriptionId, seq) };
  return {
    ...named,
    body,
    headers: deliveryHeaders({ ...named, timestamp: Math.floor(now / 1000), body, ...keys }),
    pickUuid: uuid,
    events: 1,
    lastSeq: seq,
  };
}

/** What one attempt of a delivery is signed over and with. */
export interface Signed {
  /** `pick.posted`, `pick.settled`, `ping` or `webhook.verify`. */
  event: string;
  /** The same for every attempt of one event to one subscription; without a full stop, as Standard Webhooks asks. */
  deliveryId: string;
  /** When this attempt is made, in whole seconds since the epoch. */
  timestamp: number;
  /** The raw body, exactly as it is sent. */
  body: string | Uint8Array;
  /** The subscription's secret: 64 hex characters, which are the key as they stand; or that key, made once for many deliveries. */
  secret: string | KeyObject;
  /** The secret before a rotation, during its overlap. */
  previousSecret?: string | KeyObject | undefined;
}

/**
 * The headers of a delivery to anything but a chat platform (docs/decisions/0020-webhook-delivery.md; Standard Webhooks 1.0).
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
