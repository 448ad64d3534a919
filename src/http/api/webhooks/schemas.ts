import type { TSchema } from 'typebox';
import { tier } from '../../../boards/params.ts';
import { Field } from '../../../platform/field-schemas.ts';
import { orNull, plainText } from '../../../platform/fields.ts';
import { Type } from '../../../platform/type.ts';
import { payloadSchemas, pingSchema } from '../../../webhooks/messages/payloads.ts';
import { maxOverlapSeconds } from '../../../webhooks/subscriptions/manage.ts';
import { filterSchemas } from '../../../webhooks/subscriptions/subscriptions.ts';

const instant = Field.instant();

export const ownerEmail = Type.String({
  format: 'email',
  minLength: 3,
  maxLength: 254,
  must: 'an e-mail address',
  description: 'The owner of the subscription. Anyone who knows the address can list its subscriptions.',
});

/** Filters of a request. The service checks that capper, sport, market, team, and player exist. */
const filters = {
  capper_handle: orNull(plainText(1, 100)),
  sport: orNull(plainText(1, 100)),
  market: orNull(plainText(1, 100)),
  tier: orNull(tier),
  team: orNull(plainText(1, 100)),
  player: orNull(plainText(1, 100)),
  event: orNull(
    Type.Union([Type.Literal('pick.posted'), Type.Literal('pick.settled')], {
      must: 'pick.posted or pick.settled',
      description: 'Only one kind of event.',
    }),
  ),
};

/** The guard checks the target. */
export const subscribeBody = Type.Object(
  {
    owner_email: ownerEmail,
    target_url: Type.String({
      minLength: 1,
      maxLength: 4096,
      must: 'the https URL of the receiver',
      description: 'The receiver: https, port 443 or 8443, a public host.',
    }),
    ...filters,
  },
  { title: 'WebhookRequest' },
);

/** As `PushSubscription.toJSON()` writes it, with filters. The guard checks the endpoint. */
export const followBody = Type.Object(
  {
    endpoint: Type.String({
      minLength: 1,
      maxLength: 2048,
      must: 'the endpoint of a push subscription',
      description: 'An address at the push service of Chrome, Edge, Firefox, or Safari.',
    }),
    keys: Type.Object({
      p256dh: Type.String({
        pattern: '^[A-Za-z0-9_-]{87}=?$',
        maxLength: 88,
        must: '65 bytes in base64url',
        description: "The device's public key.",
      }),
      auth: Type.String({
        pattern: '^[A-Za-z0-9_-]{22}(?:==)?$',
        maxLength: 24,
        must: '16 bytes in base64url',
        description: "The device's authentication secret, which also stops the notifications.",
      }),
    }),
    ...filters,
  },
  { title: 'PushRequest' },
);

export const followedSchema = Type.Object(
  {
    id: Field.integer(),
    ...filterSchemas,
    status: Type.Enum(['active', 'disabled']),
    created_at: instant,
  },
  { title: 'PushSubscription' },
);

export const enableBody = Type.Object({
  from: Type.Union([Type.Literal('cursor'), Type.Literal('head')], {
    default: 'cursor',
    description: '`cursor`: continue where it stopped. `head`: skip the events in between.',
  }),
});

export const resumeBody = Type.Object({
  from: Type.Union(
    [
      Type.Literal('cursor'),
      Type.Literal('head'),
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      Field.instant(),
    ],
    {
      default: 'cursor',
      must: 'cursor, head, a seq, or a time such as 2026-01-10T17:05:00Z',
      description:
        '`cursor`: continue where it stopped. `head`: skip the events in between. A number: start at this `seq` of the log. A time: start with the first event at or after it.',
    },
  ),
});

export const resendBody = Type.Object({
  delivery_id: Type.String({
    minLength: 1,
    maxLength: 100,
    must: 'the delivery_id of an attempt',
    description: 'The `webhook-id` of the delivery: `msg_<subscription>_<seq>`.',
  }),
});

export const rotateBody = Type.Object({
  overlap_seconds: Type.Integer({
    minimum: 0,
    maximum: maxOverlapSeconds,
    default: maxOverlapSeconds,
    description: 'How long the old secret keeps signing. Use `0` if it leaked.',
  }),
});

export const attemptsQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 100,
    description: 'The maximum number of attempts.',
  }),
});

export const listQuery = Type.Object({ email: ownerEmail });

const secret = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Shown only once.' });

const secretWhsec = Type.String({
  pattern: '^whsec_[A-Za-z0-9+/]+=*$',
  description: 'The same key, as libraries of Standard Webhooks take it.',
});

export const subscribedSchema = Type.Object(
  {
    id: Field.integer(),
    secret,
    secret_whsec: secretWhsec,
    owner_email: Field.text(),
    target_url: Field.uri(),
    ...filterSchemas,
    status: Type.Literal('active'),
    created_at: instant,
  },
  { title: 'NewWebhook' },
);

export const rotatedSchema = Type.Object(
  {
    id: Field.integer(),
    secret,
    secret_whsec: secretWhsec,
    rotated_at: instant,
    previous_secret_until: Field.instant(
      'Until then webhook-signature carries signatures with both secrets. X-Service-Signature uses the new one.',
    ),
  },
  { title: 'RotatedWebhook' },
);

export const deliveryHeaders: Readonly<Record<string, string>> = {
  'X-Service-Event': 'The event.',
  'X-Service-Signature': '`sha256=` and the HMAC-SHA256 of the raw body in hex.',
  'webhook-id':
    'The same for every attempt to deliver an event. Delivery is at least once: an unanswered request is repeated, and a restart of the service may repeat one event. Drop ids that you have handled.',
  'webhook-timestamp': 'The time of the attempt, in seconds since 1970.',
  'webhook-signature':
    'Standard Webhooks: `v1,` and the HMAC-SHA256 of id, timestamp, and body, joined by periods, in base64. Two of them for a while after a rotation.',
};

export const deliveries: Readonly<Record<string, TSchema>> = { ...payloadSchemas, ping: pingSchema };
