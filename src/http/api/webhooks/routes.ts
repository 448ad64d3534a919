import type { Static, TSchema } from 'typebox';
import { iso } from '../../../platform/clock.ts';
import { Field } from '../../../platform/field-schemas.ts';
import { Type } from '../../../platform/type.ts';
import { attemptSchema } from '../../../webhooks/subscriptions/attempts.ts';
import {
  filterBody,
  type SubscriptionRow,
  subscriptionSchema,
} from '../../../webhooks/subscriptions/subscriptions.ts';
import { bodyRefusals, described, type Request, type Route, refusing } from '../../routes.ts';
import {
  attemptsQuery,
  enableBody,
  followBody,
  followedSchema,
  listQuery,
  resendBody,
  resumeBody,
  rotateBody,
  rotatedSchema,
  subscribeBody,
  subscribedSchema,
} from './schemas.ts';
import { pointOf, type WebhookService } from './service.ts';

const refuses = refusing({
  400: 'A field or parameter is invalid.',
  401: 'The secret is missing.',
  403: 'The secret is wrong.',
  404: 'No such subscription.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The target is refused, the capper, sport, or market is unknown, a limit is reached, or the subscription is revoked.',
  429: 'The limit is five an hour. Try again after Retry-After.',
  503: 'The ledger is unavailable. Try again after Retry-After.',
});

const ofOwner = {
  section: 'webhooks',
  params: Type.Object({ id: Type.Integer({ minimum: 1, description: "The subscription's ID." }) }),
  headers: Type.Object({ 'X-Webhook-Secret': Field.text("The subscription's secret.") }),
} as const;

interface Action<B extends TSchema> {
  name: string;
  id: string;
  about: string;
  schema: TSchema;
  body?: B;
  work(row: SubscriptionRow, body: Static<B>): Promise<object>;
}

/** Answers must not be cached. */
export function webhookRoutes(service: WebhookService): Route[] {
  const owned = ({ params, header }: Request) =>
    service.owned(String(params.id), header('X-Webhook-Secret').trim());
  const action = <B extends TSchema>({ name, id, about, schema, body, work }: Action<B>) =>
    described({
      method: 'POST',
      path: `/api/webhooks/:id/${name}`,
      ...(body === undefined ? {} : { body }),
      ...ofOwner,
      id,
      about,
      answer: { schema },
      refusals: refuses(...(body === undefined ? [] : bodyRefusals), 401, 403, 404, 422, 429, 503),
      async handle(request: Request<never, Static<B>>) {
        const row = await owned(request);
        return { body: await work(row, body === undefined ? (undefined as never) : await request.body()) };
      },
    });
  return [
    described({
      method: 'POST',
      path: '/api/webhooks',
      body: subscribeBody,
      id: 'createWebhook',
      section: 'webhooks',
      about: 'Subscribes a receiver to picks.',
      answer: { status: 201, schema: subscribedSchema },
      refusals: refuses(...bodyRefusals, 422, 429, 503),
      async handle({ body, ip }) {
        return { status: 201, body: await service.subscribe(await body(), ip) };
      },
    }),
    described({
      path: '/api/webhooks',
      query: listQuery,
      id: 'listWebhooks',
      section: 'webhooks',
      about: 'Lists the subscriptions of an e-mail address.',
      answer: {
        schema: Type.Object({ count: Field.integer(), subscriptions: Type.Array(subscriptionSchema) }),
        untagged: true,
      },
      refusals: refuses(400, 503),
      async handle({ query }) {
        const subscriptions = await service.list(query().email);
        return { body: { count: subscriptions.length, subscriptions } };
      },
    }),
    described({
      method: 'DELETE',
      path: '/api/webhooks/:id',
      ...ofOwner,
      id: 'revokeWebhook',
      about: 'Deletes a subscription permanently.',
      answer: { status: 204 },
      refusals: refuses(401, 403, 404, 503),
      async handle(request) {
        await service.revoke(await owned(request));
        return { status: 204 };
      },
    }),
    described({
      path: '/api/webhooks/:id/attempts',
      query: attemptsQuery,
      ...ofOwner,
      id: 'listWebhookAttempts',
      about: 'Delivery attempts of the last 30 days with their outcomes, newest first.',
      answer: {
        schema: Type.Object({ count: Field.integer(), attempts: Type.Array(attemptSchema) }),
        untagged: true,
      },
      refusals: refuses(400, 401, 403, 404, 503),
      async handle(request) {
        const row = await owned(request);
        const attempts = await service.attempts(row, request.query().limit);
        return { body: { count: attempts.length, attempts } };
      },
    }),
    action({
      name: 'ping',
      id: 'pingWebhook',
      about: 'Sends a signed ping now and returns the outcome.',
      schema: attemptSchema,
      work: (row) => service.ping(row),
    }),
    action({
      name: 'resend',
      id: 'resendWebhookEvent',
      about: 'Sends one event again now, out of order, and returns the outcome.',
      schema: attemptSchema,
      body: resendBody,
      work: (row, { delivery_id }) => service.resend(row, delivery_id),
    }),
    action({
      name: 'pause',
      id: 'pauseWebhook',
      about: 'Pauses a subscription until it is resumed. No events are lost.',
      schema: subscriptionSchema,
      work: (row) => service.pause(row),
    }),
    action({
      name: 'resume',
      id: 'resumeWebhook',
      about: 'Resumes a paused or disabled subscription, or moves an active one, at a point in the log.',
      schema: subscriptionSchema,
      body: resumeBody,
      work: (row, { from }) => service.resume(row, pointOf(from)),
    }),
    action({
      name: 'enable',
      id: 'enableWebhook',
      about: 'Enables a subscription that was disabled after failures, like `resume`.',
      schema: subscriptionSchema,
      body: enableBody,
      work: (row, { from }) => service.resume(row, from, 'enable'),
    }),
    action({
      name: 'rotate',
      id: 'rotateWebhookSecret',
      about: 'Gives a subscription a new secret. The old one keeps signing for a while.',
      schema: rotatedSchema,
      body: rotateBody,
      work: (row, { overlap_seconds }) => service.rotate(row, overlap_seconds),
    }),
  ];
}

const refusesPush = refusing({
  400: 'A field is invalid.',
  401: 'The authentication secret is missing.',
  403: 'The authentication secret is wrong.',
  404: 'This device follows nothing under this ID.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The endpoint is refused, the capper, sport, or market is unknown, or a limit is reached.',
  429: 'The limit is 30 an hour. Try again after Retry-After.',
  503: 'The ledger is unavailable. Try again after Retry-After.',
});

const ofDevice = {
  section: 'webhooks',
  params: Type.Object({ id: Type.Integer({ minimum: 1, description: "The subscription's ID." }) }),
  headers: Type.Object({
    'X-Push-Auth': Field.text("The device's authentication secret, as it subscribed."),
  }),
} as const;

/** Notifications on devices (Web Push), which need no account. Answers with secrets must not be cached. */
export function pushRoutes(service: WebhookService): Route[] {
  const owned = ({ params, header }: Request) =>
    service.followed(String(params.id), header('X-Push-Auth').trim().replace(/=+$/, ''));
  return [
    described({
      path: '/api/push',
      id: 'pushKey',
      section: 'webhooks',
      about: 'The public key with which a browser subscribes at its push service (VAPID).',
      answer: { schema: Type.Object({ public_key: Field.text() }), untagged: true },
      examples: [{}],
      handle: () => ({ body: { public_key: service.pushKey } }),
    }),
    described({
      method: 'POST',
      path: '/api/push',
      body: followBody,
      id: 'follow',
      section: 'webhooks',
      about: 'Notifies a device of picks, by Web Push.',
      answer: { status: 201, schema: followedSchema },
      refusals: refusesPush(...bodyRefusals, 422, 429, 503),
      async handle({ body, ip }) {
        return { status: 201, body: await service.follow(await body(), ip) };
      },
    }),
    described({
      path: '/api/push/:id',
      ...ofDevice,
      id: 'followed',
      about: 'What a device follows. `disabled`: its push service refused five messages in a row.',
      answer: { schema: followedSchema, untagged: true },
      refusals: refusesPush(401, 403, 404, 503),
      async handle(request) {
        const row = await owned(request);
        const { id, status, created_at } = row;
        return { body: { id, ...filterBody(row.capper_handle, row), status, created_at: iso(created_at) } };
      },
    }),
    described({
      method: 'DELETE',
      path: '/api/push/:id',
      ...ofDevice,
      id: 'unfollow',
      about: 'Stops notifying a device, and deletes its endpoint and keys.',
      answer: { status: 204 },
      refusals: refusesPush(401, 403, 404, 503),
      async handle(request) {
        await service.unfollow(await owned(request));
        return { status: 204 };
      },
    }),
  ];
}
