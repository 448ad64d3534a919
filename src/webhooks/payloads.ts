import type { Static } from 'typebox';
import { iso } from '../clock.ts';
import { shownDecimal } from '../rules/odds.ts';
import type { AnnouncedEvent } from './events.ts';
import type { payloadSchemas } from './payload-schemas.ts';

export type PostedPayload = Static<(typeof payloadSchemas)['pick.posted']>;
export type SettledPayload = Static<(typeof payloadSchemas)['pick.settled']>;
export type Payload = PostedPayload | SettledPayload;

/**
 * Shapes an event to the body that a subscription is sent (interface, sections 6.2 and 6.3).
 * @param now when this attempt is made, epoch milliseconds
 * @param baseUrl permalinks begin with it
 */
export function payloadOf(
  event: AnnouncedEvent,
  { subscriptionId, now, baseUrl }: { subscriptionId: number; now: number; baseUrl: string },
): Payload {
  const envelope = { webhook_id: String(subscriptionId), delivered_at: iso(now) };
  const pick = pickOf(event, baseUrl);
  const { result, settledAt, closingOdds: closingOddsAmerican } = event;
  if (result === null || settledAt === null) return { event: 'pick.posted', ...envelope, pick };
  const settlement = { result, settledAt: iso(settledAt), closingOddsAmerican };
  return { event: 'pick.settled', ...envelope, pick, settlement };
}

function pickOf(event: AnnouncedEvent, baseUrl: string): Payload['pick'] {
  return {
    pickUuid: event.uuid,
    capperHandle: event.handle,
    capperTier: event.tier,
    sport: event.sport,
    game: event.game,
    market: event.market,
    pick: event.pick,
    oddsAmerican: event.oddsAmerican,
    oddsDecimal: shownDecimal(event.oddsAmerican),
    stakeUnits: event.stakeE4 / 10_000,
    postedAt: iso(event.postedAt),
    verifyUrl: `${baseUrl}/p/${event.uuid}`,
  };
}

/** Names the delivery of an event to a subscription: the same for every attempt, so that a receiver can drop what it has. */
export function deliveryId(subscriptionId: number, seq: number): string {
  return `msg_${subscriptionId}_${seq}`;
}
