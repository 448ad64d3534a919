import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { pingSchema } from '../webhooks/delivery/ping.ts';
import { payloadSchemas } from '../webhooks/messages/payloads.ts';
import { attemptsQuery, enableBody, ownerEmail, subscribeBody } from './webhook-requests.ts';

const instant = Type.String({ format: 'date-time' });
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const secret = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Shown this once.' });

const subscribedSchema = Type.Object({
  id: Type.Integer(),
  secret,
  owner_email: Type.String(),
  target_url: Type.String({ format: 'uri' }),
  capper_handle: orNull(Type.String()),
  sport: orNull(Type.String()),
  status: Type.Literal('active'),
  created_at: instant,
});

const subscriptionSchema = Type.Object({
  id: Type.Integer(),
  owner_email: Type.String(),
  target_host: Type.String(),
  target_url: Type.String({ description: 'Path and query are masked.' }),
  capper_handle: orNull(Type.String()),
  sport: orNull(Type.String()),
  status: Type.Union(['active', 'disabled', 'revoked'].map((status) => Type.Literal(status))),
  consecutive_failures: Type.Integer(),
  created_at: instant,
  disabled_at: orNull(instant),
  last_delivery_at: orNull(instant),
  last_status: orNull(Type.Integer()),
});

const attemptSchema = Type.Object({
  at: instant,
  event: Type.String({ description: '`pick.posted`, `pick.settled`, `ping`, or `message` in a chat.' }),
  delivery_id: Type.String({ description: 'The header `webhook-id`.' }),
  pick_uuid: orNull(Type.String()),
  picks: Type.Integer({ description: 'How many picks it carried.' }),
  status: orNull(Type.Integer({ description: 'Of the answer.' })),
  duration_ms: Type.Integer(),
  error: orNull(Type.String({ description: 'The kind of failure.' })),
});

const listOf = (name: string, schema: TSchema) =>
  Type.Object({ count: Type.Integer(), [name]: Type.Array(schema) });

const rotatedSchema = Type.Object({
  id: Type.Integer(),
  secret,
  rotated_at: instant,
  previous_secret_until: Type.String({
    format: 'date-time',
    description:
      'Until then X-Service-Signature is made with the old secret, and webhook-signature with both.',
  }),
});

const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
const secretHeader = {
  name: 'X-Webhook-Secret',
  in: 'header',
  required: true,
  description: "The subscription's secret.",
  schema: { type: 'string' },
};
const owned = [idParameter, secretHeader];

const refusals: Record<number, string> = {
  400: 'A field or parameter cannot be right.',
  401: 'The secret is missing.',
  403: 'The secret is another one.',
  404: 'There is no such subscription.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'It cannot be granted: the target is refused, the capper or sport unknown, a limit reached, or the subscription revoked.',
  429: 'Five an hour; try again as Retry-After says.',
  503: 'The ledger is out of reach; try again as Retry-After says.',
};

interface Operation {
  id: string;
  summary: string;
  parameters?: object[];
  body?: TSchema;
  status?: number;
  answer?: TSchema;
  refuses: number[];
}

/** The paths of webhook management, as OpenAPI 3.1 has them. */
export const webhookPaths = {
  '/api/webhooks': {
    post: operation({
      id: 'subscribe',
      summary: 'Subscribes a receiver to picks.',
      body: subscribeBody,
      status: 201,
      answer: subscribedSchema,
      refuses: [400, 413, 415, 422, 429, 503],
    }),
    get: operation({
      id: 'subscriptions',
      summary: 'Every subscription of an e-mail address.',
      parameters: [{ name: 'email', in: 'query', required: true, schema: json(ownerEmail) }],
      answer: listOf('subscriptions', subscriptionSchema),
      refuses: [400, 503],
    }),
  },
  '/api/webhooks/{id}': {
    delete: operation({
      id: 'revoke',
      summary: 'Revokes a subscription for good.',
      parameters: owned,
      status: 204,
      refuses: [401, 403, 404, 503],
    }),
  },
  '/api/webhooks/{id}/attempts': {
    get: operation({
      id: 'attempts',
      summary: 'What became of the deliveries of the last 30 days, the latest first.',
      parameters: [
        ...owned,
        { name: 'limit', in: 'query', required: false, schema: json(attemptsQuery.properties.limit) },
      ],
      answer: listOf('attempts', attemptSchema),
      refuses: [400, 401, 403, 404, 503],
    }),
  },
  '/api/webhooks/{id}/ping': {
    post: operation({
      id: 'ping',
      summary: 'Sends a signed ping now, and tells what became of it.',
      parameters: owned,
      answer: attemptSchema,
      refuses: [401, 403, 404, 422, 429, 503],
    }),
  },
  '/api/webhooks/{id}/enable': {
    post: operation({
      id: 'enable',
      summary: 'Enables a subscription that failures have disabled.',
      parameters: owned,
      body: enableBody,
      answer: subscriptionSchema,
      refuses: [400, 401, 403, 404, 413, 415, 422, 503],
    }),
  },
  '/api/webhooks/{id}/rotate': {
    post: operation({
      id: 'rotate',
      summary: 'Gives a subscription a new secret.',
      parameters: owned,
      answer: rotatedSchema,
      refuses: [401, 403, 404, 422, 503],
    }),
  },
};

/** What is delivered to receivers, as OpenAPI 3.1 has it. */
export const webhookEvents = Object.fromEntries(
  Object.entries({ ...payloadSchemas, ping: pingSchema }).map(([event, schema]) => [
    event,
    {
      post: {
        operationId: `deliver_${event.replace('.', '_')}`,
        tags: ['webhooks'],
        summary: `The delivery of ${event}.`,
        parameters: [
          deliveryHeader('X-Service-Event', 'The event.'),
          deliveryHeader('X-Service-Signature', '`sha256=` and the HMAC-SHA256 of the raw body in hex.'),
          deliveryHeader('webhook-id', 'The same for every attempt of one event.'),
          deliveryHeader('webhook-timestamp', 'When the attempt was made, in seconds since 1970.'),
          deliveryHeader('webhook-signature', 'By Standard Webhooks: `v1,` and base64, one or two of them.'),
        ],
        requestBody: { required: true, content: { 'application/json': { schema: json(schema) } } },
        responses: { '2XX': { description: 'Received.' }, default: { description: 'Tried again.' } },
      },
    },
  ]),
);

function operation({ id, summary, parameters = [], body, status = 200, answer, refuses }: Operation) {
  return {
    operationId: `webhooks_${id}`,
    tags: ['webhooks'],
    summary,
    parameters,
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: id === 'subscribe',
            content: { 'application/json': { schema: json(body) } },
          },
        }),
    responses: {
      [status]: {
        description: summary,
        ...(answer === undefined ? {} : { content: { 'application/json': { schema: json(answer) } } }),
      },
      ...Object.fromEntries(refuses.map((refused) => [refused, problem(refusals[refused] as string)])),
    },
  };
}

function problem(description: string) {
  return {
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function deliveryHeader(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}

/** A schema as JSON Schema alone: without annotations of our own. */
function json(schema: TSchema): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'must' || key === 'normalForm' ? undefined : value)),
  );
}
