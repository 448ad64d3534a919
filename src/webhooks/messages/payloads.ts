import type { Static } from 'typebox';
import { signed } from '../../boards/formats/odds-text.ts';
import {
  countedAt,
  marketName,
  notCounted,
  selectionText,
  sportTag,
  standing,
} from '../../boards/formats/pick-text.ts';
import { betSchema, priceCheckSchema, selectionOf, shownCheck } from '../../boards/pick.ts';
import { shownPick, shownSchemas } from '../../ledger/pick-forms.ts';
import { verifiedSchema } from '../../ledger/schemas.ts';
import { iso } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { Card, Field, Tone } from '../platforms/platform.ts';
import type { AnnouncedEvent, LoggedEvent } from './events.ts';

const instant = (description: string) => Type.String({ format: 'date-time', description });

const { id, gameId, provenance, ...announcedSchemas } = shownSchemas;

export const announcedPickSchema = Type.Object(
  {
    ...announcedSchemas,
    bet: betSchema,
    capperVerified: verifiedSchema,
    startsAt: {
      ...announcedSchemas.startsAt,
      description: "The game's start time, as known when the pick was posted.",
    },
    verifyUrl: Type.String({ format: 'uri', description: "The pick's permalink." }),
  },
  { description: 'The pick as it was posted, and whether its capper is verified now.' },
);

const common = {
  webhook_id: Type.String({ description: "The subscription's ID." }),
  delivered_at: instant('The time of this attempt.'),
  seq: Type.Integer({ description: "The event's index in the log. It increases with each delivery." }),
  pick: announcedPickSchema,
};

/** Bodies of deliveries (docs/rules/webhooks.md), for documents and tests. */
export const payloadSchemas = {
  'pick.posted': Type.Object({
    event: Type.Literal('pick.posted'),
    ...common,
    priceCheck: nullable(priceCheckSchema),
  }),
  'pick.settled': Type.Object({
    event: Type.Literal('pick.settled'),
    ...common,
    settlement: Type.Object({
      result: Type.String({ description: '`win`, `loss`, `push`, or `void`.' }),
      half: Type.Boolean({ description: 'Only half the stake counted.' }),
      settledAt: instant('When it settled.'),
      closingOddsAmerican: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Null if no closing odds are known.',
      }),
      priceCheck: nullable(priceCheckSchema),
    }),
  }),
} as const;

export const pingSchema = Type.Object({
  event: Type.Literal('ping'),
  webhook_id: Type.String({ description: "The subscription's id." }),
  delivered_at: instant('The time of this attempt.'),
});

export type Payload =
  | Static<(typeof payloadSchemas)['pick.posted']>
  | Static<(typeof payloadSchemas)['pick.settled']>;

/** @param now time of this attempt. @param baseUrl base URL of permalinks */
export function payloadOf(
  event: AnnouncedEvent,
  { subscriptionId, now, baseUrl }: { subscriptionId: number; now: number; baseUrl: string },
): Payload {
  const own = { webhook_id: String(subscriptionId), delivered_at: iso(now), seq: event.seq };
  const pick = announcedPick(event, baseUrl);
  const settlement = settlementOf(event);
  if (settlement === undefined) return { event: 'pick.posted', ...own, pick, priceCheck: checkOf(event) };
  return { event: 'pick.settled', ...own, pick, settlement };
}

export function announcedPick(
  event: Omit<LoggedEvent, 'kind'>,
  baseUrl: string,
): Static<typeof announcedPickSchema> {
  const { id, gameId, provenance, ...announced } = shownPick(event);
  return {
    ...announced,
    bet: selectionOf(announced),
    capperVerified: event.verified,
    verifyUrl: `${baseUrl}/p/${event.uuid}`,
  };
}

function settlementOf(event: AnnouncedEvent) {
  const { result, half, settledAt, closingOdds } = event;
  if (result === null || settledAt === null) return undefined;
  return {
    result,
    half: half === true,
    settledAt: iso(settledAt),
    closingOddsAmerican: closingOdds,
    priceCheck: checkOf(event),
  };
}

function checkOf(event: AnnouncedEvent): Static<typeof priceCheckSchema> | null {
  const check = shownCheck(event);
  return check && { ...check, provisional: event.provisional };
}

/** Returns the id of an event's delivery to a subscription: equal for all attempts, so that receivers can drop duplicates. */
export function deliveryId(subscriptionId: number, seq: number): string {
  return `msg_${subscriptionId}_${seq}`;
}

/** Undefined if the name is not a {@link deliveryId} of the subscription. */
export function seqOf(name: string, subscriptionId: number): number | undefined {
  const seq = Number(/^msg_\d+_(\d{1,15})$/.exec(name)?.[1]);
  return deliveryId(subscriptionId, seq) === name ? seq : undefined;
}

const tones: Record<string, Tone> = { win: 'good', loss: 'bad', push: 'neutral', void: 'neutral' };

export function cardOf(payload: Payload): Card {
  const { pick } = payload;
  const fields: Field[] = [
    { name: 'Sport', value: sportTag(pick.sport) },
    { name: 'Market', value: marketName(pick.market) },
    { name: 'Odds', value: signed(pick.oddsAmerican) },
    { name: 'Stake', value: `${pick.stakeUnits} ${pick.stakeUnits === 1 ? 'unit' : 'units'}` },
  ];
  const shown = {
    lead: selectionText(pick),
    text: pick.game,
    url: pick.verifyUrl,
    footer: `${standing({ tier: pick.capperTier, verified: pick.capperVerified })} · log entry ${payload.seq}`,
  };
  if (payload.event === 'pick.posted')
    return {
      title: `New pick by ${pick.capperHandle}`,
      ...shown,
      tone: 'news',
      fields: [...fields, ...leftOut({ ...payload.pick, ...payload })],
      timestamp: pick.postedAt,
    };
  const { result, half, closingOddsAmerican, settledAt } = payload.settlement;
  if (closingOddsAmerican !== null) fields.push({ name: 'Closing odds', value: signed(closingOddsAmerican) });
  fields.push(...leftOut({ ...payload.pick, ...payload.settlement }));
  return {
    title: `${half ? 'HALF ' : ''}${result.toUpperCase()} for ${pick.capperHandle}`,
    ...shown,
    tone: tones[result] ?? 'news',
    fields,
    timestamp: settledAt,
  };
}

/** Empty if the pick counts at its own odds. */
function leftOut(checked: Parameters<typeof countedAt>[0]): Field[] {
  const why = notCounted(checked);
  if (why !== null) return [{ name: 'Not counted', value: why }];
  const counted = countedAt(checked);
  return counted === null ? [] : [{ name: 'Odds', value: counted }];
}
