import { createSecretKey, type KeyObject } from 'node:crypto';
import type { AttemptRecord } from './attempts.ts';
import { chatMessage, chatUrl } from './chat.ts';
import type { AnnouncedEvent } from './events.ts';
import type { Taken } from './fence.ts';
import { type Announcement, announcementOf, bodyOf, deliveryId, payloadOf } from './payloads.ts';
import { type Sealer, signingSecrets, targetPlace } from './secrets.ts';
import { deliveryHeaders } from './signing.ts';
import { type AllowedHosts, parseTarget, type Target } from './target.ts';

/** What one request carries. */
export interface Message {
  body: string | Uint8Array;
  headers: Record<string, string>;
  deliveryId: string;
  event: AttemptRecord['event'];
  /** The first of the events that it tells of, and how many there are; the last one's `seq`. */
  pickUuid: string | null;
  events: number;
  lastSeq: number;
}

/** Makes requests for one subscription, with its address and secrets opened once. */
export interface Correspondence {
  /** Undefined where the guard refuses the address, since its rules or the allowed hosts have changed. */
  target: Target | undefined;
  /**
   * Makes the next request.
   * @param events what is to be sent, in order, at least one; a request takes as many of the first as it can hold
   * @param now epoch milliseconds
   */
  write(events: readonly AnnouncedEvent[], now: number): Message;
}

/** Writes to subscribers. */
export interface Messages {
  /**
   * @param now epoch milliseconds
   * @throws Error when what is sealed cannot be opened
   */
  to(taken: Taken, now: number): Correspondence;
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
  // Many subscriptions are sent the same events at about the same time.
  const announcements = new WeakMap<AnnouncedEvent, Announcement>();
  const announced = (event: AnnouncedEvent): Announcement => {
    const known = announcements.get(event);
    if (known !== undefined) return known;
    const made = announcementOf(event, baseUrl);
    announcements.set(event, made);
    return made;
  };
  return {
    to(taken, now) {
      const { id } = taken;
      const verdict = parseTarget(sealer.open(taken.target_url_sealed, targetPlace(id)), allowed);
      const target = verdict.ok ? verdict.target : undefined;
      if (taken.chat)
        return {
          target: target && { ...target, url: chatUrl(target.url) },
          write: (events, at) => toChannel(id, events, at, baseUrl),
        };
      const keys = keysOf(signingSecrets(sealer, taken, now));
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

/** For a channel the address is the secret: nothing is signed (interface, section 5). */
function toChannel(
  subscriptionId: number,
  events: readonly AnnouncedEvent[],
  now: number,
  baseUrl: string,
): Message {
  const message = chatMessage(events.map((event) => payloadOf(event, { subscriptionId, now, baseUrl })));
  return {
    body: message.body,
    headers: { 'Content-Type': 'application/json' },
    deliveryId: deliveryId(subscriptionId, events[0]!.seq),
    event: 'message',
    pickUuid: message.events === 1 ? events[0]!.uuid : null,
    events: message.events,
    lastSeq: events[message.events - 1]!.seq,
  };
}
