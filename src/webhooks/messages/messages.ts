import { createHmac } from 'node:crypto';
import { iso } from '../../platform/clock.ts';
import { type AllowedHosts, parseEndpoint, parseTarget, pushService, type Target } from '../guard/target.ts';
import { platformNamed } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import type { AttemptRecord } from '../subscriptions/attempts.ts';
import {
  type SealedSecrets,
  type Sealer,
  secretContext,
  signingSecrets,
  targetContext,
} from '../subscriptions/secrets.ts';
import type { AnnouncedEvent } from './events.ts';
import { isNews, noteOf } from './notes.ts';
import { cardOf, deliveryId, payloadOf } from './payloads.ts';
import { createVapid, encrypted, type Vapid } from './web-push.ts';

export interface Message {
  body: string | Buffer;
  headers: Record<string, string>;
  deliveryId: string;
  event: AttemptRecord['event'];
  /** Null if there are several events. */
  pickUuid: string | null;
  /** Number of events, and the `seq` of the last one. */
  events: number;
  lastSeq: number;
}

/** A subscription's receiver or channel, with its address and secrets decrypted. */
export interface Recipient {
  /** Undefined if the guard refuses the address because its rules or the allowed hosts changed. */
  target: Target | undefined;
  /** Whether an event is worth sending. Default: every event is. */
  wants?(event: AnnouncedEvent, now: EpochMs): boolean;
  /** @param events at least one, in order; the request holds as many of the first ones as fit */
  write(events: readonly AnnouncedEvent[], now: EpochMs): Message;
  /** Signed like a delivery; for a chat channel, a message. Devices get none. */
  ping?(deliveryId: string, now: number): Pick<Message, 'body' | 'headers'>;
}

export interface Addressed extends SealedSecrets {
  platform: string | null;
  target_url_sealed: Uint8Array;
}

export type Messages = ReturnType<typeof createMessages>;

/** @param options `baseUrl`: base URL of permalinks */
export function createMessages({
  sealer,
  allowed,
  baseUrl,
}: {
  sealer: Sealer;
  allowed: AllowedHosts;
  baseUrl: string;
}) {
  const vapid = createVapid(sealer, baseUrl);
  return {
    /** @throws Error if the address or secrets cannot be opened */
    to(subscription: Addressed, now: EpochMs): Recipient {
      const { id, platform: name } = subscription;
      const address = sealer.open(subscription.target_url_sealed, targetContext(id));
      const verdict =
        name === pushService.name ? parseEndpoint(address, allowed) : parseTarget(address, allowed);
      const target = verdict.ok ? verdict.target : undefined;
      if (name === pushService.name) {
        const keys = sealer.open(subscription.secret_sealed, secretContext(id));
        return {
          target,
          wants: isNews,
          write: (events, at) => toDevice(vapid, new URL(address).origin, keys, id, events, at, baseUrl),
        };
      }
      if (name !== null) {
        const platform = platformNamed(name);
        return {
          target: target && { ...target, platform, url: platform.endpoint?.(target.url) ?? target.url },
          write: (events, at) => toChannel(platform, id, events, at, baseUrl),
          ping: () => ({
            body: platform.encode([test]).body,
            headers: { 'Content-Type': 'application/json' },
          }),
        };
      }
      const secrets = signingSecrets(sealer, subscription, now);
      return {
        target,
        write: ([event], at) => toReceiver(id, event!, at, baseUrl, secrets),
        ping(name, at) {
          const event = 'ping';
          const body = JSON.stringify({ event, webhook_id: String(id), delivered_at: iso(at) });
          const timestamp = Math.floor(at / 1000);
          return { body, headers: deliveryHeaders({ event, deliveryId: name, timestamp, body, ...secrets }) };
        },
      };
    },
  };
}

const test = { title: 'Public Picks', text: 'A test message: this channel is subscribed to picks.' };

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

/** Contents and keys of a signature over one attempt. */
export interface Signed {
  /** `pick.posted`, `pick.settled`, or `ping`. */
  event: string;
  /** Equal for all attempts to deliver an event to a subscription; without a full stop, as Standard Webhooks requires. */
  deliveryId: string;
  /** Time of this attempt, in whole seconds since the epoch. */
  timestamp: number;
  body: string;
  /** The subscription's secret. Its 64 hex characters are the key. */
  secret: string;
  /** The previous secret, during the overlap of a rotation. */
  previousSecret?: string | undefined;
}

/**
 * Returns the headers of a delivery to a receiver other than a chat platform (docs/rules/webhooks.md; Standard Webhooks 1.0).
 * `X-Service-Signature` always uses the current secret; `webhook-signature` has both during the overlap of a rotation.
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

/** Builds a message to a channel. The channel's address is its secret, so there are no signature or event headers. */
function toChannel(
  platform: Platform,
  subscriptionId: number,
  events: readonly AnnouncedEvent[],
  now: number,
  baseUrl: string,
): Message {
  const cards = events.map((event) => cardOf(payloadOf(event, { subscriptionId, now, baseUrl })));
  const { body, cards: count } = platform.encode(cards);
  const headers = { 'Content-Type': 'application/json' };
  return { body, headers, ...aboutEvents(subscriptionId, events.slice(0, count)) };
}

function aboutEvents(subscriptionId: number, events: readonly AnnouncedEvent[]) {
  return {
    deliveryId: deliveryId(subscriptionId, events[0]!.seq),
    event: 'message' as const,
    pickUuid: events.length === 1 ? events[0]!.uuid : null,
    events: events.length,
    lastSeq: events.at(-1)!.seq,
  };
}

/** Builds one notification about all events, encrypted for a device. @param origin of its push service */
function toDevice(
  vapid: Vapid,
  origin: string,
  keys: string,
  subscriptionId: number,
  events: readonly AnnouncedEvent[],
  now: number,
  baseUrl: string,
): Message {
  const { ttl, topic, isUrgent, ...note } = noteOf(events, now, baseUrl);
  return {
    body: encrypted(JSON.stringify(note), keys),
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': 'aes128gcm',
      TTL: String(ttl),
      Topic: topic,
      Urgency: isUrgent ? 'high' : 'normal',
      Authorization: vapid.authorization(origin),
    },
    ...aboutEvents(subscriptionId, events),
  };
}
