import type { AttemptRecord } from './attempts.ts';
import { chatMessage, chatUrl } from './chat.ts';
import type { AnnouncedEvent } from './events.ts';
import type { Taken } from './fence.ts';
import { deliveryId, payloadOf } from './payloads.ts';
import { type Sealer, signingSecrets, targetPlace } from './secrets.ts';
import { deliveryHeaders } from './signing.ts';
import { type AllowedHosts, parseTarget, type Target } from './target.ts';

/** What one request carries. */
export interface Message {
  body: string;
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

/**
 * @param now epoch milliseconds
 * @throws Error when what is sealed cannot be opened
 */
export function correspondence(
  taken: Taken,
  { sealer, allowed, baseUrl }: { sealer: Sealer; allowed: AllowedHosts; baseUrl: string },
  now: number,
): Correspondence {
  const { id } = taken;
  const verdict = parseTarget(sealer.open(taken.target_url_sealed, targetPlace(id)), allowed);
  const target = verdict.ok ? verdict.target : undefined;
  if (taken.chat)
    return {
      target: target && { ...target, url: chatUrl(target.url) },
      write: (events, at) => toChannel(id, events, at, baseUrl),
    };
  const secrets = signingSecrets(sealer, taken, now);
  return { target, write: ([event], at) => toReceiver(id, event!, at, baseUrl, secrets) };
}

function toReceiver(
  subscriptionId: number,
  event: AnnouncedEvent,
  now: number,
  baseUrl: string,
  secrets: ReturnType<typeof signingSecrets>,
): Message {
  const payload = payloadOf(event, { subscriptionId, now, baseUrl });
  const body = JSON.stringify(payload);
  const named = { event: payload.event, deliveryId: deliveryId(subscriptionId, event.seq) };
  return {
    ...named,
    body,
    headers: deliveryHeaders({ ...named, timestamp: Math.floor(now / 1000), body, ...secrets }),
    pickUuid: event.uuid,
    events: 1,
    lastSeq: event.seq,
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
